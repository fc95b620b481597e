import { bitsOf } from '#src/domain/bits.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import { nativePayload } from '#src/domain/message.ts';
import { markAttempting } from '#src/domain/settle.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { DELIVER_SECONDS_MAX, type Delivery, deliver } from '#src/signals/gateway.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import type { Device } from '#src/storage/devices/devices.ts';
import { findSessions } from '#src/storage/devices/presence.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';
import { leaseStillCovers } from '../pacing/lease.ts';
import { recordSendLatency, recordSendOutcomes } from '../record-metrics.ts';
import { closeCancelled } from './cancel.ts';
import { settleNative } from './settle-native.ts';
import { deviceKey, deviceOfSameLogin, openPlacesOf, type Place, type Work } from './work.ts';
import { writeSlicesOfAllShards } from './write-slices.ts';

/**
 * Sends slices on the Carillon channel, grouped by gateway, with one payload per slice. Written slices wait for
 * acknowledgements without holding a slot. Slices with no device to wait for are settled immediately.
 */
export async function sendNative(context: WorkerContext, works: readonly Work[]): Promise<void> {
  await sendUncancelled(context, await closeCancelled(context, works));
}

async function sendUncancelled(context: WorkerContext, claimed: readonly Work[]): Promise<void> {
  const openPlacesOfClaims = openPlacesOf(claimed);
  const sessions = await findDeviceSessions(context, openPlacesOfClaims);
  // Slices whose lease ends too soon are left to the next worker that claims them.
  const works = claimed.filter(({ acquiredAtMs }) => leaseStillCovers(context, acquiredAtMs, DELIVER_SECONDS_MAX));
  const places = openPlacesOfClaims.filter(({ work }) => works.includes(work));
  const byGateway = Map.groupBy(places, (place) => deviceOfSameLogin(sessions, place)?.gateway ?? NO_GATEWAY);
  byGateway.delete(NO_GATEWAY);
  const requestedAtMs = performance.now();
  const written = new PlaceSet();
  const queued = new PlaceSet();
  const unanswered = new PlaceSet();
  // All requests must end, because a slice of a failed group is processed again.
  await settleAll(
    [...byGateway].flatMap(([gateway, group]) =>
      toRequests(group).map(async (deliveries) => {
        const beganMs = performance.now();
        const results = await deliver(context.signals, gateway, deliveries);
        workerMetrics.gatewaySeconds.observeSince(beganMs);
        deliveries.forEach((delivery, i) => {
          for (const place of results?.[i]?.written ?? []) written.add(delivery, place);
          // Not written yet, or the result is unknown: the acknowledgement is awaited, but the place does not count as
          // sent.
          for (const place of results?.[i]?.queued ?? []) queued.add(delivery, place);
          if (!results) for (const { index } of delivery.targets) unanswered.add(delivery, index);
        });
      }),
    ),
  );

  const resultCounts = { written: written.size, queued: queued.size, 'no-answer': unanswered.size };
  const absent = places.length - resultCounts.written - resultCounts.queued - resultCounts['no-answer'];
  recordSendOutcomes('nativepush', { ...resultCounts, absent });
  const writtenWorks = works.filter(({ slice }) => written.has(slice));
  recordSendLatency(context.clock, 'nativepush', writtenWorks);
  const attemptedWorks = works.filter(({ slice }) => written.has(slice) || queued.has(slice) || unanswered.has(slice));
  // Counted from the request, so that an unresponsive gateway does not delay the fallback.
  const ackInMs = requestedAtMs + context.settings.CARILLON_ACKNOWLEDGE_SECONDS * 1_000 - performance.now();
  const writes = attemptedWorks.map(({ slice }): SliceWrite => {
    const sent = written.placesOf(slice);
    const status = markAttempting(slice, [...sent, ...queued.placesOf(slice), ...unanswered.placesOf(slice)]);
    const attempts = slice.attempts + 1;
    const traceEntries = [
      { code: 'written', places: sent },
      { code: 'queued', places: queued.placesOf(slice) },
      { code: 'no-answer', places: unanswered.placesOf(slice) },
    ] as const;
    return {
      claimed: slice,
      status,
      sent: bitsOf(slice.placeCount, sent),
      state: 'awaiting',
      dueInMs: ackInMs,
      attempts,
      historyEntries: traceEntries,
    };
  });
  const writtenRows = await writeSlicesOfAllShards(context, writes);
  // Receipts can be stored before this write. In that case they did not make the slice due earlier, so this function
  // settles it.
  const acknowledgedWorks = attemptedWorks.flatMap((work, i): Work[] => {
    const received = writtenRows.get(sliceKeyText(work.slice))?.received ?? '';
    const { status } = writes[i] as SliceWrite;
    const isComplete = received !== '' && openPlaces(status, received).length === 0;
    return isComplete ? [{ ...work, slice: { ...work.slice, status, received } }] : [];
  });
  await settleNative(context, [...works.filter((work) => !attemptedWorks.includes(work)), ...acknowledgedWorks]);
}

type DeviceSession = Pick<Device, 'generation' | 'gateway'>;

/**
 * Returns the sessions of the devices at these places. Devices that were read when the slice was created are not read
 * again.
 */
async function findDeviceSessions(
  { storage }: WorkerContext,
  places: readonly Place[],
): Promise<ReadonlyMap<bigint, DeviceSession>> {
  const unreadKeys = places.filter(({ work }) => !work.devices).map(deviceKey);
  const reads = [...byDatabase(storage.shards, unreadKeys, ({ bucket }) => bucket)].map(([db, keys]) =>
    findSessions(db, keys),
  );
  const rows = (await Promise.all(reads)).flat();
  const alreadyRead = [...new Set(places.map(({ work }) => work))].flatMap(({ devices = [] }) => [...devices]);
  return new Map<bigint, DeviceSession>([
    ...alreadyRead,
    ...rows.map((session) => [session.deviceId, session] as const),
  ]);
}

/** No gateway has this name. */
const NO_GATEWAY = '';

/** Maximum size of a request. NATS accepts messages of up to 1 MB by default. */
const REQUEST_BYTES_MAX = 512 * 1024;
const TARGET_BYTES = 32;

/** Returns the deliveries for one gateway, divided into requests by size. */
function toRequests(places: readonly Place[]): Delivery[][] {
  const requests: Delivery[][] = [];
  let bytes = REQUEST_BYTES_MAX;
  for (const [work, targets] of Map.groupBy(places, (place) => place.work)) {
    const { taskId, bucket, sliceNumber, placeCount } = work.slice;
    const payload = nativePayload(work.slice, work.task.messageText);
    const size = Buffer.byteLength(payload) + targets.length * TARGET_BYTES;
    if (bytes + size > REQUEST_BYTES_MAX) {
      requests.push([]);
      bytes = 0;
    }
    bytes += size;
    requests.at(-1)?.push({
      taskId,
      bucket,
      sliceNumber,
      placeCount,
      payload,
      notAfter: work.task.notAfter.getTime(),
      dueAt: work.task.dueAt.getTime(),
      targets,
    });
  }
  return requests;
}

/** A set of places in several slices. */
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

  placesOf(slice: SliceKey): number[] {
    return this.#places.get(sliceKeyText(slice)) ?? [];
  }
}
