import { orderByAppTurns } from '#src/domain/app-turns.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type { Device, DeviceGroup } from '#src/storage/devices/devices.ts';
import type * as real from '#src/storage/ledger/expansions.ts';
import { currentProcess } from '../environment/scheduler.ts';
import { inTransaction, read, simulatedDatabaseOf, write } from './database.ts';
import { devicesWhere } from './devices.ts';
import { type DeviceRow, type ExpansionRow, shardRows } from './rows.ts';

export const expansionKey = ({ taskId, shard }: { taskId: bigint; shard: number }): string => `${taskId}.${shard}`;

export const insertExpansions: typeof real.insertExpansions = (db, expansions) =>
  write(db, 'insertExpansions', () => {
    putExpansions(db, expansions, 'ready');
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
    const { taskId, shard, appId, lane } = expansion;
    database.put(table, key, { taskId, shard, appId, lane, state, epoch: 0, nextAt: database.now, cancelled: false });
    won.add(taskId);
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

/** No app has a thousand slices in a simulation. */
export const findBusyApps: typeof real.findBusyApps = async () => [];

export const streamExpansion: typeof real.streamExpansion = (db, expansion, { dueAt }, handle) =>
  inTransaction(db, async (tx) => {
    const { shard, appId } = expansion;
    await handle(
      tx,
      groupsOf(tx, appId, dueAt, (device) => device.shard === shard),
      true,
    );
    const end = await endExpansion(tx, expansion);
    if (end !== 'done') throw new RolledBack(end);
    return end;
  }).catch((error: unknown) => {
    if (error instanceof RolledBack) return error.end;
    throw error;
  });

export const findAudienceGroups: typeof real.findAudienceGroups = (db, appId, { dueAt }) =>
  read(db, 'findAudienceGroups', () => groupsOf(db, appId, dueAt, () => true));

/** Returns the limit for a random 30 % of the calls, because no app in a simulation has enough devices to reach it. */
export const countAudienceDevices: typeof real.countAudienceDevices = async (db, _appId, _tags, limit) =>
  simulatedDatabaseOf(db).scheduler.random.chance(0.3) ? limit : 0;

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
    const table = shardRows(db).expansions;
    const row = table.get(expansionKey(expansion));
    if (row?.epoch !== expansion.epoch || row.state !== 'leased') return 'lost';
    simulatedDatabaseOf(db).put(table, expansionKey(row), { ...row, state: 'done' });
    return row.cancelled ? 'cancelled' : 'done';
  });

/** Returns whether the query sees the slice as open. Tests can break this rule. */
function isSeenOpen(db: ShardDb, row: SliceRow): boolean {
  const { rules, closed, now } = simulatedDatabaseOf(db);
  if (row.state !== 'closed') return !rules.ignoresOpenSlices;
  const close = closed.get(sliceKeyText(row));
  return close !== undefined && close.by !== currentProcess() && now - close.at < (rules.snapshotMs ?? 0);
}

export const findShardProgress: typeof real.findShardProgress = (db, taskIds) =>
  read(db, 'findShardProgress', () =>
    taskIds.flatMap((taskId) => {
      const taskExpansions: ExpansionRow[] = [];
      for (const row of shardRows(db).expansions.values())
        if (row.taskId === taskId && row.state === 'done') taskExpansions.push(row);
      const hasOpenSlice = simulatedDatabaseOf(db)
        .taskSlices(taskId)
        .some((row) => isSeenOpen(db, row));
      return taskExpansions.length === 0
        ? []
        : [{ taskId, expansionsDone: BigInt(taskExpansions.length), hasOpenSlice }];
    }),
  );
