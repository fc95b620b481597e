import { orderByAppTurns } from '#src/domain/app-turns.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type { Device, DeviceGroup } from '#src/storage/devices/devices.ts';
import type * as audience from '#src/storage/ledger/audience-devices.ts';
import type * as real from '#src/storage/ledger/expansions.ts';
import { currentProcess } from '../environment/scheduler.ts';
import { inTransaction, read, simulatedDatabaseOf, write } from './database.ts';
import { devicesWhere } from './devices.ts';
import { type DeviceRow, type ExpansionRow, shardRows } from './rows.ts';

export const expansionKey = ({
  taskId,
  bucket,
  afterId,
}: Pick<ExpansionRow, 'taskId' | 'bucket' | 'afterId'>): string => `${taskId}.${bucket}.${afterId}`;

export const expansionOf: typeof real.expansionOf = ({ taskId, appId, lane }, { firstBucket, lastBucket }) => ({
  ...{ taskId, appId, lane, bucket: firstBucket, afterId: 0n },
  ...{ lastBucket, lastId: INT64_MAX },
});

export const planExpansions: typeof real.planExpansions = (db, expansions, { done }) =>
  write(db, 'planExpansions', () => {
    const { rules, hooks } = simulatedDatabaseOf(db);
    const state = done ? 'done' : 'ready';
    const isFirst = putExpansions(db, expansions.slice(0, 1), state).size > 0;
    if (!isFirst) hooks.observed('plan repeated');
    if (isFirst || rules.plansWithoutFirstRange) putExpansions(db, expansions.slice(1), state);
  });

/** Inserts with `on conflict do nothing`. Returns the tasks whose expansion did not exist yet. */
export function putExpansions(
  db: ShardDb,
  expansions: readonly real.NewExpansion[],
  state: 'ready' | 'done',
): ReadonlySet<bigint> {
  const database = simulatedDatabaseOf(db);
  const table = shardRows(db).expansions;
  const won = new Set<bigint>();
  for (const expansion of expansions) {
    const key = expansionKey(expansion);
    if (table.has(key)) continue;
    database.put(table, key, { ...expansion, state, epoch: 0, nextAt: database.now, cancelled: false, failures: 0 });
    won.add(expansion.taskId);
  }
  return won;
}

export const claimExpansions: typeof real.claimExpansions = async (db, { lane, limit, leaseSeconds, turns }) => {
  const database = simulatedDatabaseOf(db);
  const table = shardRows(db).expansions;
  const rows = await database.claim('claimExpansions', () => {
    const due: ExpansionRow[] = [];
    for (const row of table.values())
      if (row.lane === lane && row.state !== 'done' && row.nextAt <= database.now) due.push(row);
    const next = orderByAppTurns(due, turns).slice(0, limit);
    return next.map((row) => {
      const nextAt = database.now + leaseSeconds * 1_000;
      const claimed: ExpansionRow = { ...row, state: 'leased', epoch: row.epoch + 1, nextAt };
      database.put(table, expansionKey(row), claimed);
      return claimed;
    });
  });
  return [...rows];
};

export const renewExpansion: typeof real.renewExpansion = (db, expansion, leaseSeconds) =>
  write(db, 'renewExpansion', () => {
    const database = simulatedDatabaseOf(db);
    const row = heldRow(db, expansion);
    if (!row) return;
    database.put(shardRows(db).expansions, expansionKey(row), { ...row, nextAt: database.now + leaseSeconds * 1_000 });
    database.hooks.observed('expansion renewed');
  });

/** No app has a thousand slices in a simulation. */
export const findBusyApps: typeof real.findBusyApps = async () => [];

type RangePosition = Exclude<Parameters<typeof real.completeExpansion>[2], undefined>;

/** Pages have at most three devices, so that a range is often split although an app has few devices. */
const DEVICES_PER_PAGE_MAX = 3;
/** The probability that a page reaches a limit of its transaction. */
const LIMIT_REACHED = 0.5;
/** The probability that a page is slow, so that the lease of its expansion must be renewed. */
const SLOW_PAGE = 0.05;

/**
 * Each page is read in a separate statement with its own snapshot, as in the product. The writes of the transaction
 * follow in one commit, because no other process can see them before.
 */
export const streamRange: typeof real.streamRange = async (db, expansion, audience, limits, handle) => {
  const { scheduler } = simulatedDatabaseOf(db);
  const beganMs = scheduler.now;
  const pages: DeviceGroup[][] = [];
  let splitAt: RangePosition | undefined;
  let after: RangePosition = { bucket: expansion.bucket, id: expansion.afterId };
  for (let devices = 0; ; ) {
    if (scheduler.hasSlowSteps && scheduler.random.chance(SLOW_PAGE))
      await scheduler.step('slow page', scheduler.random.between(1_000, 9_000));
    const { groups, pageEnd } = await read(db, 'findPage', () => readPage(db, expansion, audience.dueAt, after));
    pages.push(groups);
    devices += groups.reduce((sum, { placeCount }) => sum + placeCount, 0);
    const isLimitReached = devices >= limits.devices || scheduler.now - beganMs >= limits.milliseconds;
    if (pageEnd && (isLimitReached || scheduler.random.chance(LIMIT_REACHED))) splitAt = pageEnd;
    if (!pageEnd || splitAt) break;
    after = pageEnd;
  }
  return rollBackUnlessDone(db, async (tx) => {
    for (const [i, groups] of pages.entries()) await handle(tx, groups, i === pages.length - 1);
    return splitAt ? splitExpansion(tx, expansion, splitAt) : endExpansion(tx, expansion);
  });
};

export const completeExpansion: typeof real.completeExpansion = (db, expansion, upTo, handle) =>
  rollBackUnlessDone(db, async (tx) => {
    await handle(tx);
    return upTo ? splitExpansion(tx, expansion, upTo) : endExpansion(tx, expansion);
  });

async function rollBackUnlessDone(
  db: ShardDb,
  work: (tx: ShardDb) => Promise<real.ExpansionEnd>,
): Promise<real.ExpansionEnd> {
  try {
    return await inTransaction(db, async (tx) => {
      const end = await work(tx);
      if (end !== 'done') throw new RolledBack(end);
      return end;
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    simulatedDatabaseOf(db).hooks.observed(`expansion ${error.end}`);
    return error.end;
  }
}

/** Returns the next page of a range. `pageEnd` is undefined if the rest of the range fits on the page. */
function readPage(
  db: ShardDb,
  { appId, lastBucket, lastId }: real.ClaimedExpansion,
  dueAt: Date,
  after: RangePosition,
): { readonly groups: DeviceGroup[]; readonly pageEnd: RangePosition | undefined } {
  const isWithin = ({ bucket, deviceId }: DeviceRow, upTo: RangePosition) =>
    isAfter({ bucket, id: deviceId }, after) && !isAfter({ bucket, id: deviceId }, upTo);
  const rangeEnd = { bucket: lastBucket, id: lastId };
  const positions = [...shardRows(db).devices.values()]
    .filter((device) => device.appId === appId && isWithin(device, rangeEnd))
    .map(({ bucket, deviceId }): RangePosition => ({ bucket, id: deviceId }))
    .sort((a, b) => (isAfter(a, b) ? 1 : -1));
  const pageEnd = positions[simulatedDatabaseOf(db).scheduler.random.below(DEVICES_PER_PAGE_MAX)];
  return { groups: groupsOf(db, appId, dueAt, (device) => isWithin(device, pageEnd ?? rangeEnd)), pageEnd };
}

const isAfter = (a: RangePosition, b: RangePosition): boolean =>
  a.bucket > b.bucket || (a.bucket === b.bucket && a.id > b.id);

/** The estimates below are numbers of ranges. A cancelled task has no estimate, and still needs a range. */
export const rangeCountFor: typeof audience.rangeCountFor = (devices) => Math.max(1, devices);

/** Workers get different estimates, so that they divide the same audience differently. */
export const estimateAudienceDevices: typeof audience.estimateAudienceDevices = (db) =>
  read(db, 'estimateAudienceDevices', () => simulatedDatabaseOf(db).scheduler.random.pick([1, 1, 2, 4]));

export const findAudienceGroups: typeof audience.findAudienceGroups = (db, appId, { dueAt }) =>
  read(db, 'findAudienceGroups', () => groupsOf(db, appId, dueAt, () => true));

/** Returns the limit for half of the calls, because no app in a simulation has enough devices to reach it. */
export const countAudienceDevices: typeof audience.countAudienceDevices = async (db, _appId, _tags, limit) =>
  simulatedDatabaseOf(db).scheduler.random.chance(0.5) ? limit : 0;

function groupsOf(db: ShardDb, appId: string, dueAt: Date, isHere: (device: DeviceRow) => boolean): DeviceGroup[] {
  const devices = devicesWhere(
    db,
    (device) =>
      device.appId === appId && isHere(device) && device.registeredAt <= dueAt.getTime() && device.userId !== null,
  );
  const groups = Map.groupBy(devices, ({ reach, latestDomestic, nativeTarget, gateway }) =>
    [reach, latestDomestic, nativeTarget, gateway].join(),
  );
  return [...groups.values()].map((group) => ({
    ...(group[0] as Device),
    placeCount: group.length,
    deviceIds: group.map(({ deviceId }) => deviceId).join(','),
    generations: group.map(({ generation }) => generation).join(','),
  }));
}

class RolledBack extends Error {
  readonly end: 'lost' | 'cancelled';

  constructor(end: 'lost' | 'cancelled') {
    super();
    this.end = end;
  }
}

export const endExpansion: typeof real.endExpansion = (db, expansion) =>
  write(db, 'endExpansion', () => {
    const row = heldRow(db, expansion);
    if (!row) return 'lost';
    simulatedDatabaseOf(db).put(shardRows(db).expansions, expansionKey(row), { ...row, state: 'done' });
    return row.cancelled ? 'cancelled' : 'done';
  });

/** Ends the first part of a range and inserts the rest, in one statement. Tests can break both steps. */
const splitExpansion = (
  db: ShardDb,
  expansion: real.ClaimedExpansion,
  upTo: RangePosition,
): Promise<real.ExpansionEnd> =>
  write(db, 'splitExpansion', () => {
    const database = simulatedDatabaseOf(db);
    const { rules, hooks } = database;
    const table = shardRows(db).expansions;
    const row = heldRow(db, expansion);
    if (!row) return 'lost';
    const { taskId, appId, lane, lastBucket, lastId } = row;
    const rest = { taskId, appId, lane, bucket: upTo.bucket, afterId: upTo.id, lastBucket, lastId };
    if (table.has(expansionKey(rest))) throw new Error(`The expansion ${expansionKey(rest)} exists already.`);
    if (!rules.splitsWithoutRest) putExpansions(db, [rest], 'ready');
    const newEnd = rules.splitsWithoutEnd ? {} : { lastBucket: upTo.bucket, lastId: upTo.id };
    database.put(table, expansionKey(row), { ...row, ...newEnd, state: 'done' });
    if (!row.cancelled) hooks.observed('expansion split');
    return row.cancelled ? 'cancelled' : 'done';
  });

/** Returns the row of an expansion if it is still leased under the epoch of the claim. */
function heldRow(db: ShardDb, expansion: real.ClaimedExpansion): ExpansionRow | undefined {
  const row = shardRows(db).expansions.get(expansionKey(expansion));
  return row?.epoch === expansion.epoch && row.state === 'leased' ? row : undefined;
}

/** Returns whether the query sees the slice as open. Tests can break this rule. */
function isSeenOpen(db: ShardDb, row: SliceRow): boolean {
  const { rules, closed, now } = simulatedDatabaseOf(db);
  if (row.state !== 'closed') return !rules.ignoresOpenSlices;
  const close = closed.get(sliceKeyText(row));
  return close !== undefined && close.by !== currentProcess() && now - close.at < (rules.snapshotMs ?? 0);
}

export const findShardProgress: typeof real.findShardProgress = (db, taskIds) =>
  read(db, 'findShardProgress', () => {
    const database = simulatedDatabaseOf(db);
    return taskIds.flatMap((taskId) => {
      const states: ExpansionRow['state'][] = [];
      for (const row of shardRows(db).expansions.values()) if (row.taskId === taskId) states.push(row.state);
      if (states.length === 0) return [];
      const hasOpenExpansion = !database.rules.ignoresOpenExpansions && states.some((state) => state !== 'done');
      const hasOpenSlice = database.taskSlices(taskId).some((row) => isSeenOpen(db, row));
      return [{ taskId, hasOpenExpansion, hasOpenSlice }];
    });
  });

export const findTargetedDevices: typeof real.findTargetedDevices = (db, taskId, bucket, deviceIds) =>
  read(db, 'findTargetedDevices', () => {
    const rows = [...simulatedDatabaseOf(db).slices.values()].filter(
      (row) => row.taskId === taskId && row.bucket === bucket,
    );
    return deviceIds.filter((deviceId) => rows.some((row) => row.deviceIds.includes(deviceId)));
  });
