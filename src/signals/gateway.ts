import type { Reply, Signals } from './signals.ts';
import { subjects } from './subjects.ts';

/** A device in a delivery: its place in the slice, and the generation of its owner. */
export interface DeliveryTarget {
  readonly index: number;
  readonly deviceId: bigint;
  readonly generation: number;
}

/** The devices of a slice at one gateway, and the payload that they all receive. */
export interface Delivery {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly sliceNumber: number;
  readonly placeCount: number;
  readonly payload: string;
  /** Epoch milliseconds of database time. Nothing is written after this time. */
  readonly notAfter: number;
  /** The due time, on the same clock, used only for metrics. Workers of the previous version do not send it. */
  readonly dueAt: number | undefined;
  readonly targets: readonly DeliveryTarget[];
}

/**
 * The places of a delivery whose frame was written to a live session, and those that are queued until the session has
 * room.
 */
export interface DeliveryResult {
  readonly written: readonly number[];
  readonly queued: readonly number[];
}

/**
 * Maximum time to wait for a reply from a gateway. The gateway replies as soon as the frames are written.
 * Acknowledgements from devices are recorded later, as receipts.
 */
export const DELIVER_SECONDS_MAX = 2;

/** Returns one result per delivery, or undefined if it is unknown whether the deliveries were written. */
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
 * A gateway that did not reply receives no requests for this time. It counts as absent, and notifications for its
 * devices immediately use another channel. Otherwise every request to a hanging gateway would delay other work.
 */
const UNRESPONSIVE_MS = 2_000;
const unresponsiveUntil = new WeakMap<Signals, Map<string, number>>();

async function requestGateway(signals: Signals, gateway: string, subject: string, text: string): Promise<Reply> {
  const unresponsive = unresponsiveUntil.get(signals) ?? new Map<string, number>();
  unresponsiveUntil.set(signals, unresponsive);
  if ((unresponsive.get(gateway) ?? 0) > performance.now()) return { kind: 'no-responders' };
  // After `UNRESPONSIVE_MS`, one request is sent as a probe. Other requests skip the gateway until the probe returns.
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

/** Asks a gateway to read inboxes. Returns true if the gateway accepted the request. */
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

/** A notification to recall, and the devices of a slice at one gateway. */
export interface Recall {
  readonly taskId: bigint;
  readonly targets: readonly DeliveryTarget[];
}

/**
 * Asks a gateway to recall a notification. Returns the places to whose devices the gateway has written the recall. A
 * gateway that does not respond has written none, and the recall is repeated later. A gateway of the previous version
 * does not know the request, so a missing response does not affect deliveries.
 */
export async function requestRecall(
  signals: Signals,
  gateway: string,
  { taskId, targets }: Recall,
): Promise<readonly number[]> {
  const encoded: EncodedRecall = [taskId.toString(), targets.map(encodeTarget)];
  const reply = await signals.request(subjects.recall(gateway), JSON.stringify(encoded), DELIVER_SECONDS_MAX * 1_000);
  return reply.kind === 'response' ? (JSON.parse(reply.text) as number[]) : [];
}

export function serveRecall(signals: Signals, gateway: string, write: (recall: Recall) => number[]): void {
  signals.subscribe(subjects.recall(gateway), (text) => {
    const [taskId, targets] = JSON.parse(text) as EncodedRecall;
    return JSON.stringify(write({ taskId: BigInt(taskId), targets: targets.map(decodeTarget) }));
  });
}

type EncodedTarget = readonly [number, string, number];
type EncodedRecall = readonly [string, readonly EncodedTarget[]];

const encodeTarget = ({ index, deviceId, generation }: DeliveryTarget): EncodedTarget => [
  index,
  deviceId.toString(),
  generation,
];
const decodeTarget = ([index, deviceId, generation]: EncodedTarget): DeliveryTarget => ({
  index,
  deviceId: BigInt(deviceId),
  generation,
});

/**
 * Notifies a gateway that devices have connected to another gateway. A lost signal only causes a delay, because every
 * gateway also polls.
 */
export function sendTakeover(signals: Signals, gateway: string, deviceIds: readonly bigint[]): void {
  signals.publish(subjects.takeover(gateway), deviceIds.join(','));
}

export function onTakeover(signals: Signals, gateway: string, handler: (deviceIds: readonly bigint[]) => void): void {
  signals.subscribe(subjects.takeover(gateway), (text) => {
    handler(text.split(',').map(BigInt));
    return undefined;
  });
}

/**
 * A compact encoding: arrays need a third of the size of objects. IDs are strings, because JSON.stringify does not
 * support bigint.
 */
type EncodedDelivery = readonly [
  string,
  number,
  number,
  number,
  string,
  number,
  readonly EncodedTarget[],
  number | undefined, // last, so that a gateway of the previous version finds the other fields at their positions
];

function encodeDeliveries(deliveries: readonly Delivery[]): string {
  return JSON.stringify(
    deliveries.map(
      (delivery): EncodedDelivery => [
        delivery.taskId.toString(),
        delivery.bucket,
        delivery.sliceNumber,
        delivery.placeCount,
        delivery.payload,
        delivery.notAfter,
        delivery.targets.map(encodeTarget),
        delivery.dueAt,
      ],
    ),
  );
}

function decodeDeliveries(text: string): Delivery[] {
  return (JSON.parse(text) as EncodedDelivery[]).map(
    ([taskId, bucket, sliceNumber, placeCount, payload, notAfter, targets, dueAt]) => ({
      taskId: BigInt(taskId),
      bucket,
      sliceNumber,
      placeCount,
      payload,
      notAfter,
      dueAt,
      targets: targets.map(decodeTarget),
    }),
  );
}
