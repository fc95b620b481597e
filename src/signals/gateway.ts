import type { Reply, Signals } from './signals.ts';
import { subjects } from './subjects.ts';

/** One device in a delivery: its place in the slice, and the owner it is meant for. */
export interface DeliveryTarget {
  readonly index: number;
  readonly deviceId: bigint;
  readonly generation: number;
}

/** A slice's devices at one gateway, with the bytes they all get. */
export interface Delivery {
  readonly taskId: bigint;
  readonly shard: number;
  readonly sliceNumber: number;
  readonly placeCount: number;
  readonly payload: string;
  /** Epoch milliseconds of database time: after this nothing is written any more. */
  readonly notAfter: number;
  /** When it was due, in the same time: only for those who measure. A worker of the version before does not say it. */
  readonly dueAt: number | undefined;
  readonly targets: readonly DeliveryTarget[];
}

/** The places of a delivery whose frame went to a live session, and those that will as soon as it has room. */
export interface DeliveryResult {
  readonly written: readonly number[];
  readonly queued: readonly number[];
}

/** A gateway answers as soon as the frames are written; the devices' own answers come as receipts. */
export const DELIVER_SECONDS_MAX = 2;

/** One result per delivery. Undefined: nobody can tell what became of them. */
export async function deliver(
  signals: Signals,
  gateway: string,
  deliveries: readonly Delivery[],
): Promise<DeliveryResult[] | undefined> {
  const reply = await requestGateway(signals, gateway, subjects.deliver(gateway), encodeDeliveries(deliveries));
  if (reply.kind === 'response') return JSON.parse(reply.text) as DeliveryResult[];
  return reply.kind === 'no-responders' ? deliveries.map(() => ({ written: [], queued: [] })) : undefined;
}

/**
 * A gateway that did not answer is not asked again for this long: it counts as not there, and what is for its devices goes
 * another way at once. Otherwise everybody who waits for one that stands still would hold up the others.
 */
const UNRESPONSIVE_MS = 2_000;
const unresponsiveUntil = new WeakMap<Signals, Map<string, number>>();

async function requestGateway(signals: Signals, gateway: string, subject: string, text: string): Promise<Reply> {
  const unresponsive = unresponsiveUntil.get(signals) ?? new Map<string, number>();
  unresponsiveUntil.set(signals, unresponsive);
  if ((unresponsive.get(gateway) ?? 0) > performance.now()) return { kind: 'no-responders' };
  // After that one asks for all: otherwise everybody would wait for it once more.
  if (unresponsive.has(gateway)) unresponsive.set(gateway, performance.now() + UNRESPONSIVE_MS);
  const reply = await signals.request(subject, text, DELIVER_SECONDS_MAX * 1_000);
  if (reply.kind === 'timeout') unresponsive.set(gateway, performance.now() + UNRESPONSIVE_MS);
  else unresponsive.delete(gateway);
  return reply;
}

export function serveDeliver(
  signals: Signals,
  gateway: string,
  write: (deliveries: readonly Delivery[]) => DeliveryResult[],
): void {
  signals.subscribe(subjects.deliver(gateway), (text) => JSON.stringify(write(decodeDeliveries(text))));
}

/** Asks a gateway to read inboxes. True: it took the request and will do so. */
export async function requestInboxRead(
  signals: Signals,
  gateway: string,
  deviceIds: readonly bigint[],
): Promise<boolean> {
  const reply = await requestGateway(signals, gateway, subjects.inbox(gateway), deviceIds.join(','));
  return reply.kind === 'response';
}

export function serveInbox(signals: Signals, gateway: string, read: (deviceIds: readonly bigint[]) => void): void {
  signals.subscribe(subjects.inbox(gateway), (text) => {
    read(text.split(',').map(BigInt));
    return '';
  });
}

/** Tells a gateway that devices have connected elsewhere. It may get lost: every gateway also looks by itself. */
export function sendTakeover(signals: Signals, gateway: string, deviceIds: readonly bigint[]): void {
  signals.publish(subjects.takeover(gateway), deviceIds.join(','));
}

export function onTakeover(signals: Signals, gateway: string, handler: (deviceIds: readonly bigint[]) => void): void {
  signals.subscribe(subjects.takeover(gateway), (text) => {
    handler(text.split(',').map(BigInt));
    return undefined;
  });
}

/** Ids are below 2^53, but JSON.stringify knows no bigint, and lists of numbers are a third of the size of objects. */
type EncodedDelivery = readonly [
  string,
  number,
  number,
  number,
  string,
  number,
  readonly (readonly [number, string, number])[],
  number | undefined, // last, so that a gateway of the version before finds the rest where it looks
];

function encodeDeliveries(deliveries: readonly Delivery[]): string {
  return JSON.stringify(
    deliveries.map(
      (delivery): EncodedDelivery => [
        delivery.taskId.toString(),
        delivery.shard,
        delivery.sliceNumber,
        delivery.placeCount,
        delivery.payload,
        delivery.notAfter,
        delivery.targets.map(({ index, deviceId, generation }) => [index, deviceId.toString(), generation] as const),
        delivery.dueAt,
      ],
    ),
  );
}

function decodeDeliveries(text: string): Delivery[] {
  return (JSON.parse(text) as EncodedDelivery[]).map(
    ([taskId, shard, sliceNumber, placeCount, payload, notAfter, targets, dueAt]) => ({
      taskId: BigInt(taskId),
      shard,
      sliceNumber,
      placeCount,
      payload,
      notAfter,
      dueAt,
      targets: targets.map(([index, deviceId, generation]) => ({ index, deviceId: BigInt(deviceId), generation })),
    }),
  );
}
