import type { DeviceDelivery, Fault, HistoryEvents, Span, VendorDelivery } from './history.ts';

/** No send starts later than this after the response to a cancellation. */
const CANCEL_MS_MAX = 5_000;
/** A call or receipt that ended this long before a fault has been recorded in the ledger. */
const RECORDED_MS_MAX = 2_000;
/** Maximum number of findings of each rule in the result. */
const FINDINGS_MAX = 5;

type Rule = (history: HistoryEvents) => string[];

/** The rules, by the name that starts each of their findings. */
const rules = {
  'a count fell': findFallenCounts,
  'an accepted task is not finished': findUnfinished,
  'a send started after a cancellation': findSentAfterCancel,
  'a count is too high': findTooHighCounts,
  'a receipt is not counted': findLostReceipts,
  'a device received a repeat': findDeviceRepeats,
  'a vendor received repeats': findVendorRepeats,
} as const satisfies Readonly<Record<string, Rule>>;

/** Returns a sentence for each violation of a rule. An empty result means that the history is correct. */
export function checkHistory(history: HistoryEvents): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const findings = rule(history);
    const listed = findings.slice(0, FINDINGS_MAX).map((finding) => `${name}: ${finding}`);
    const more = findings.length - listed.length;
    return more > 0 ? [...listed, `${name}: ${more} more`] : listed;
  });
}

/** Returns one line with the size of a history and its repeats, for the output of a test. */
export function describeHistory(history: HistoryEvents): string {
  const { accepts, cancels, reads, deliveries, vendorDeliveries, vendorCallsInDoubt } = history;
  const deviceRepeats = [...byPair(deliveries).values()].reduce((sum, { length }) => sum + length - 1, 0);
  const deviceDoubts = deliveries.filter((delivery) => isReceiptInDoubt(delivery, history)).length;
  const vendorRepeats = vendorDeliveries.reduce((sum, { calls }) => sum + calls - 1, 0);
  const vendorDoubts = vendorCallsInDoubt ?? vendorDeliveries.filter((call) => isCallInDoubt(call, history)).length;
  return [
    `${accepts.length} accepts, ${cancels.length} cancels, ${reads.length} reads of counts`,
    `devices received ${deliveries.length}, ${deviceRepeats} repeats with ${deviceDoubts} in doubt`,
    `vendors accepted for ${vendorDeliveries.length} tokens, ${vendorRepeats} repeats with ${vendorDoubts} in doubt`,
  ].join('; ');
}

/** A read that started after another one ended must not return a lower count. */
function findFallenCounts({ reads }: HistoryEvents): string[] {
  return [...Map.groupBy(reads, ({ taskId }) => taskId)].flatMap(([taskId, ofTask]) => {
    const ended = ofTask.toSorted((a, b) => a.end - b.end);
    const highest: Record<string, number> = {};
    let next = 0;
    return ofTask
      .toSorted((a, b) => a.start - b.start)
      .flatMap(({ start, counts }) => {
        for (let read = ended[next]; read && read.end <= start; read = ended[++next])
          for (const [name, count] of Object.entries(read.counts)) highest[name] = Math.max(highest[name] ?? 0, count);
        return Object.entries(highest)
          .filter(([name, count]) => (counts[name] ?? 0) < count)
          .map(([name, count]) => `${name} of task ${taskId} was ${count}, later ${counts[name] ?? 'missing'}`);
      });
  });
}

function findUnfinished({ accepts, finished }: HistoryEvents): string[] {
  const unfinished = accepts.filter(({ taskId }) => !finished.has(taskId));
  return unfinished.map(({ taskId, end }) => `task ${taskId}, accepted ${timeText(end)}`);
}

/** A delivery is later than the start of its send, so a late delivery is reported even if its send was in time. */
function findSentAfterCancel({ cancels, deliveries, vendorDeliveries }: HistoryEvents): string[] {
  const cancelledAt = new Map<bigint, number>();
  for (const { taskId, end } of cancels) cancelledAt.set(taskId, Math.min(end, cancelledAt.get(taskId) ?? end));
  const describeLate = (taskId: bigint, recipient: string, at: number) => {
    const lateMs = at - (cancelledAt.get(taskId) ?? Number.POSITIVE_INFINITY);
    return lateMs > CANCEL_MS_MAX ? [`task ${taskId} to ${recipient}, ${(lateMs / 1_000).toFixed(1)} s later`] : [];
  };
  return [
    ...deliveries.flatMap(({ taskId, device, start }) => describeLate(taskId, device, start)),
    ...vendorDeliveries.flatMap(({ taskId, token, end }) => describeLate(taskId, token, end)),
  ];
}

/** A count must not exceed the number of devices or tokens that had received the notification by then. */
function findTooHighCounts({ reads, deliveries, vendorDeliveries }: HistoryEvents): string[] {
  const onDevices = firstArrivals(
    deliveries.map(({ taskId, device, start }) => ({ taskId, recipient: device, start })),
  );
  const atVendors = firstArrivals(
    vendorDeliveries.map(({ taskId, token, start }) => ({ taskId, recipient: token, start })),
  );
  const countUntil = (arrivals: readonly number[] = [], end: number) =>
    (arrivals.at(-1) ?? 0) <= end ? arrivals.length : arrivals.filter((start) => start <= end).length;
  return reads.flatMap(({ taskId, counts, end }) => {
    const limits = {
      nativepush_received: countUntil(onDevices.get(taskId), end),
      apns_sent: countUntil(atVendors.get(taskId), end),
    };
    return Object.entries(limits)
      .filter(([name, limit]) => (counts[name] ?? 0) > limit)
      .map(([name, limit]) => `${name} of task ${taskId} is ${counts[name]}, but ${limit} had received it`);
  });
}

/** Returns the times at which the recipients of each task received it first, in ascending order. */
function firstArrivals(
  events: readonly { readonly taskId: bigint; readonly recipient: string; readonly start: number }[],
): Map<bigint, number[]> {
  const byTask = new Map<bigint, Map<string, number>>();
  for (const { taskId, recipient, start } of events) {
    const arrivals = byTask.get(taskId) ?? new Map<string, number>();
    arrivals.set(recipient, Math.min(start, arrivals.get(recipient) ?? start));
    byTask.set(taskId, arrivals);
  }
  return new Map([...byTask].map(([taskId, arrivals]) => [taskId, [...arrivals.values()].sort((a, b) => a - b)]));
}

/** A receipt that was not in doubt is counted. A read that started too early does not prove the opposite. */
function findLostReceipts(history: HistoryEvents): string[] {
  const byTask = Map.groupBy(history.deliveries, ({ taskId }) => taskId);
  const lastReads = new Map(history.reads.toSorted((a, b) => a.start - b.start).map((read) => [read.taskId, read]));
  return [...lastReads].flatMap(([taskId, { start, counts }]) => {
    const recorded = (byTask.get(taskId) ?? []).filter(
      (delivery) =>
        delivery.end !== undefined && delivery.end + RECORDED_MS_MAX < start && !isReceiptInDoubt(delivery, history),
    );
    const devices = new Set(recorded.map(({ device }) => device)).size;
    const received = counts.nativepush_received ?? 0;
    return received < devices ? [`${devices} devices acknowledged task ${taskId}, ${received} are counted`] : [];
  });
}

/** A device can receive a notification again for each of its receipts that was in doubt. */
function findDeviceRepeats(history: HistoryEvents): string[] {
  return [...byPair(history.deliveries).values()].flatMap((ofPair) => {
    const inDoubt = ofPair.filter((delivery) => isReceiptInDoubt(delivery, history)).length;
    const [{ taskId, device }] = ofPair as [DeviceDelivery];
    return ofPair.length - 1 > inDoubt
      ? [`${device} received task ${taskId} ${ofPair.length} times, ${inDoubt} receipts were in doubt`]
      : [];
  });
}

/** A vendor can receive a notification again for each call whose outcome was in doubt. */
function findVendorRepeats(history: HistoryEvents): string[] {
  const { vendorDeliveries, vendorCallsInDoubt } = history;
  const repeated = vendorDeliveries.filter(({ calls }) => calls > 1);
  if (vendorCallsInDoubt === undefined)
    return repeated
      .filter((delivery) => !isCallInDoubt(delivery, history))
      .map(({ taskId, token, calls }) => `${calls} calls for task ${taskId} to ${token}, and none was in doubt`);
  const repeats = repeated.reduce((sum, { calls }) => sum + calls - 1, 0);
  return repeats > vendorCallsInDoubt ? [`${repeats} repeats, ${vendorCallsInDoubt} calls were in doubt`] : [];
}

/** Groups the deliveries by task and device. */
function byPair(deliveries: readonly DeviceDelivery[]): Map<string, DeviceDelivery[]> {
  return Map.groupBy(deliveries, ({ taskId, device }) => `${taskId} ${device}`);
}

/** A receipt is in doubt if the device did not send it, or if a fault began before it was surely recorded. */
function isReceiptInDoubt({ taskId, device, start, end }: DeviceDelivery, { faults }: HistoryEvents): boolean {
  return end === undefined || isAffected(faults, { taskId, recipient: device, start, end });
}

function isCallInDoubt({ taskId, token, start }: VendorDelivery, { faults }: HistoryEvents): boolean {
  return isAffected(faults, { taskId, recipient: token, start, end: start });
}

function isAffected(
  faults: readonly Fault[],
  { taskId, recipient, start, end }: Span & { readonly taskId: bigint; readonly recipient: string },
): boolean {
  const uncertain = { start, end: end + RECORDED_MS_MAX };
  return faults.some((fault) => overlaps(fault, uncertain) && (fault.affects?.(taskId, recipient) ?? true));
}

const overlaps = (a: Span, b: Span): boolean => a.start <= b.end && b.start <= a.end;

const timeText = (ms: number): string => new Date(ms).toISOString();
