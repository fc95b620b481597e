import { bitsOf } from '#src/domain/bits.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import { nativePayload } from '#src/domain/message.ts';
import { afterAttempt } from '#src/domain/settle.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { DELIVER_SECONDS_MAX, type Delivery, deliver } from '#src/signals/gateway.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import type { Device } from '#src/storage/devices/devices.ts';
import { findSessions } from '#src/storage/devices/presence.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import { isHeldFor, type Work, type WorkerContext, writeAll } from '../context.ts';
import { workerMetrics } from '../metrics.ts';
import { countSent, countTaken } from '../upkeep/record-metrics.ts';
import { settleNative } from './settle-native.ts';
import { keyOf, openPlacesOf, type Place, sameOwner } from './work.ts';

/**
 * Sends slices on the own channel: one request per gateway, with each payload once. What was written waits for its
 * acknowledgements and holds no slot; what has nobody to wait for is settled at once.
 */
export async function sendNative(context: WorkerContext, claimed: readonly Work[]): Promise<void> {
  const open = openPlacesOf(claimed);
  const sessions = await sessionsOf(context, open);
  // Whoever claims the others next goes on with them.
  const works = claimed.filter(({ heldSinceMs }) => isHeldFor(context, heldSinceMs, DELIVER_SECONDS_MAX));
  const places = open.filter(({ work }) => works.includes(work));
  const byGateway = Map.groupBy(places, (place) => sameOwner(sessions, place)?.gateway ?? NOWHERE);
  byGateway.delete(NOWHERE);
  const askedMs = performance.now();
  const written = new PlaceSet();
  const queued = new PlaceSet();
  const unanswered = new PlaceSet();
  await Promise.all(
    [...byGateway].flatMap(([gateway, group]) =>
      toRequests(group).map(async (deliveries) => {
        const beganMs = performance.now();
        const results = await deliver(context.motion, gateway, deliveries);
        workerMetrics.gatewaySeconds.since(beganMs);
        deliveries.forEach((delivery, i) => {
          for (const place of results?.[i]?.written ?? []) written.add(delivery, place);
          // Not written yet, or nobody can tell: the device's answer is waited for, but nothing counts as sent.
          for (const place of results?.[i]?.queued ?? []) queued.add(delivery, place);
          if (!results) for (const { place } of delivery.targets) unanswered.add(delivery, place);
        });
      }),
    ),
  );

  const asked = { written: written.size, queued: queued.size, 'no-answer': unanswered.size };
  const absent = places.length - asked.written - asked.queued - asked['no-answer'];
  countSent('nativepush', { ...asked, absent });
  const taken = works.filter(({ slice }) => written.has(slice));
  countTaken(context, 'nativepush', taken);
  const out = works.filter(({ slice }) => written.has(slice) || queued.has(slice) || unanswered.has(slice));
  // From the question on: a gateway that stands still takes no time from the fallback.
  const ackMs = askedMs + context.settings.CARILLON_ACKNOWLEDGE_SECONDS * 1_000 - performance.now();
  const writes = out.map(({ slice }): SliceWrite => {
    const sent = written.of(slice);
    const status = afterAttempt(slice, [...sent, ...queued.of(slice), ...unanswered.of(slice)]);
    const attempts = slice.attempts + 1;
    const said = [
      { word: 'written', places: sent },
      { word: 'queued', places: queued.of(slice) },
      { word: 'no-answer', places: unanswered.of(slice) },
    ] as const;
    return { held: slice, status, sent: bitsOf(slice.n, sent), state: 'awaiting', nextInMs: ackMs, attempts, said };
  });
  const kept = await writeAll(context, writes);
  // Receipts may be faster than our own write, and then nothing hurries the slice any more.
  const answered = out.flatMap((work, i): Work[] => {
    const received = kept.get(sliceKeyText(work.slice))?.received ?? '';
    const { status } = writes[i] as SliceWrite;
    const all = received !== '' && openPlaces(status, received).length === 0;
    return all ? [{ ...work, slice: { ...work.slice, status, received } }] : [];
  });
  await settleNative(context, [...works.filter((work) => !out.includes(work)), ...answered]);
}

type Where = Pick<Device, 'generation' | 'gateway'>;

/** Where the devices of these places are now, or were a moment ago. */
async function sessionsOf({ truth }: WorkerContext, places: readonly Place[]): Promise<ReadonlyMap<bigint, Where>> {
  const unread = places.filter(({ work }) => !work.devices).map(keyOf);
  const reads = [...byDatabase(truth.shards, unread, ({ shard }) => shard)].map(([db, keys]) => findSessions(db, keys));
  const read = (await Promise.all(reads)).flat();
  const known = [...new Set(places.map(({ work }) => work))].flatMap(({ devices = [] }) => [...devices]);
  return new Map<bigint, Where>([...known, ...read.map((found) => [found.deviceId, found] as const)]);
}

/** No gateway is named so. */
const NOWHERE = '';

/** NATS takes messages up to 1 MB by default. */
const REQUEST_BYTES_MAX = 512 * 1024;
const TARGET_BYTES = 32;

/** The deliveries of one gateway, in as many requests as their size asks for. */
function toRequests(places: readonly Place[]): Delivery[][] {
  const requests: Delivery[][] = [];
  let bytes = REQUEST_BYTES_MAX;
  for (const [work, group] of Map.groupBy(places, (place) => place.work)) {
    const targets = group.map(({ place, deviceId, generation }) => ({ place, deviceId, generation }));
    const { taskId, shard, slice, n } = work.slice;
    const payload = nativePayload(taskId, work.task.messageText);
    const size = Buffer.byteLength(payload) + targets.length * TARGET_BYTES;
    if (bytes + size > REQUEST_BYTES_MAX) {
      requests.push([]);
      bytes = 0;
    }
    bytes += size;
    requests.at(-1)?.push({
      taskId,
      shard,
      slice,
      n,
      payload,
      notAfter: work.task.notAfter.getTime(),
      dueAt: work.task.dueAt.getTime(),
      targets,
    });
  }
  return requests;
}

/** Places of several slices. */
class PlaceSet {
  readonly #places = new Map<string, number[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(slice: SliceKey, place: number): void {
    this.#size++;
    const key = sliceKeyText(slice);
    const places = this.#places.get(key);
    if (places) places.push(place);
    else this.#places.set(key, [place]);
  }

  has(slice: SliceKey): boolean {
    return this.#places.has(sliceKeyText(slice));
  }

  of(slice: SliceKey): number[] {
    return this.#places.get(sliceKeyText(slice)) ?? [];
  }
}
