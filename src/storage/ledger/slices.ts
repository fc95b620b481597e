import { type Bits, noBits } from '#src/domain/bits.ts';
import type { Channel } from '#src/domain/channel.ts';
import {
  FINAL_STATUS_MIN,
  placeStatus,
  type SliceChannel,
  type SliceKey,
  type SliceState,
  VENDOR_PLACE_WEIGHT,
} from '#src/domain/slice.ts';
import { type Lane, rangeOfTaskIds } from '#src/domain/task.ts';
import { formatEvents, HISTORY_FIRST, HISTORY_MAX, type TraceEvent } from '#src/domain/trace/trace-events.ts';
import type { ShardDb } from '../database/database.ts';
import type { Targets } from '../devices/devices.ts';
import { dueRows } from './app-turns.ts';
import { expansionColumns, type NewExpansion } from './expansions.ts';
import type { Claim } from './tasks.ts';

/** A slice that has not been inserted yet. */
export interface NewSlice extends Targets {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly appId: string;
  readonly channel: SliceChannel;
  readonly lane: Lane;
  readonly state: SliceState;
  /** The time from now until the slice is due. For a slice that is created leased, the length of the lease. */
  readonly dueInMs: number;
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
  readonly status: Buffer;
}

/**
 * A slice that this worker holds. Every write includes the epoch, so a write has no effect if the lease has lapsed and
 * the slice has been claimed again.
 */
export interface ClaimedSlice extends SliceKey {
  readonly epoch: number;
  readonly appId: string;
  readonly channel: SliceChannel;
  readonly lane: Lane;
  readonly placeCount: number;
  readonly attempts: number;
  readonly cancelled: boolean;
  /** The number of times that the slice failed alone since its last result. */
  readonly failures: number;
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
  readonly status: Buffer;
  readonly sent: Bits;
  readonly received: Bits;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
}

/** The epoch of a new slice. A worker that creates a slice as leased holds it under this epoch. */
const FIRST_EPOCH = 1;

/**
 * Ends the expansions of list tasks and inserts their slices, in one statement. If two workers expand the same task,
 * the one that inserts the expansion wins and the other inserts nothing. Returns the inserted slices.
 */
export async function expandLists(
  db: ShardDb,
  expansions: readonly NewExpansion[],
  slices: readonly NewSlice[],
): Promise<ClaimedSlice[]> {
  const rows = await db.queryPrepared<{ position: bigint; sliceNumber: number }>(
    `with won as (
       insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
       select e.*, 'done', now(), now()
         from unnest($13::bigint[], $14::smallint[], $15::bigint[], $16::smallint[], $17::bigint[], $18::text[], $19::text[])
              as e (task_id, bucket, after_id, last_bucket, last_id, app_id, lane)
        order by 1, 2, 3
       on conflict do nothing
       returning task_id
     ), input as materialized (
       ${SLICE_INPUT} where u.task_id in (select task_id from won)
     ), ${SLICE_INSERTS}
     select position, slice as "sliceNumber" from input`,
    [...sliceColumns(slices), ...expansionColumns(expansions)],
  );
  return rows.map(({ position, sliceNumber }) => toClaimedSlice(slices[Number(position) - 1] as NewSlice, sliceNumber));
}

/** Adds slices for the next channels of a task's devices. Returns the slices, which this worker holds. */
export async function insertSlices(db: ShardDb, slices: readonly NewSlice[]): Promise<ClaimedSlice[]> {
  const rows = await insertSliceRows(db, slices);
  return rows.map(({ position, sliceNumber }) => toClaimedSlice(slices[Number(position) - 1] as NewSlice, sliceNumber));
}

/** Adds slices that any worker can claim. */
export async function insertUnclaimedSlices(db: ShardDb, slices: readonly NewSlice[]): Promise<void> {
  await insertSliceRows(db, slices);
}

async function insertSliceRows(
  db: ShardDb,
  slices: readonly NewSlice[],
): Promise<{ readonly position: bigint; readonly sliceNumber: number }[]> {
  if (slices.length === 0) return [];
  return db.query(
    `with input as materialized (${SLICE_INPUT}), ${SLICE_INSERTS}
     select position, slice as "sliceNumber" from input`,
    sliceColumns(slices),
  );
}

/**
 * Claims slices that are due or whose lease has lapsed. Their total weight is limited too (`claimWeightOf`), but a
 * single slice with more weight is still claimed.
 */
export async function claimSlices(db: ShardDb, claim: Claim & { weightMax: number }): Promise<ClaimedSlice[]> {
  const weight = `case when channel = 'nativepush' then n else ${VENDOR_PLACE_WEIGHT} * n end as weight`;
  const due = dueRows('slices', `task_id, bucket, slice, ${weight}`, claim, 7);
  return db.query<ClaimedSlice>(
    `with due as (
       ${due.text}
     ), taken as (
       select *, sum(weight) over (order by turn, next_at, task_id, bucket, slice) - weight as weight_before from due
     ), claimed as (
       update slices s
          set state = 'leased', epoch = s.epoch + 1, next_at = now() + $5 * interval '1 s'
         from taken d
        where d.weight_before < $6 and (s.task_id, s.bucket, s.slice) = (d.task_id, d.bucket, d.slice) and s.task_id between $3 and $4
        returning s.*
     )
     select ${CLAIMED_COLUMNS}
       from claimed c
       join slice_targets t using (task_id, bucket, slice)
      where t.task_id between $3 and $4
      order by 1, 2, 3`,
    [claim.lane, claim.limit, ...claim.taskRange, claim.leaseSeconds, claim.weightMax, ...due.values],
  );
}

const CLAIMED_COLUMNS = `
  c.task_id as "taskId", c.bucket, c.slice as "sliceNumber", c.epoch, c.app_id as "appId", c.channel, c.lane,
  c.n as "placeCount", c.attempts, c.cancelled, coalesce(c.failures, 0) as failures, c.tried,
  c.native_slice as "nativeSlice", c.status, c.sent::text as sent, c.received::text as received,
  t.device_ids as "deviceIds", t.generations`;

/**
 * Claims a slice again for the worker that holds it, under a new epoch, and reads its current content. Returns
 * undefined if the worker no longer holds it, or has written a result.
 */
export async function reclaimSlice(
  db: ShardDb,
  { taskId, bucket, sliceNumber, epoch }: SliceClaim,
  leaseSeconds: number,
): Promise<ClaimedSlice | undefined> {
  const [slice] = await db.query<ClaimedSlice>(
    `with claimed as (
       update slices set epoch = epoch + 1, next_at = now() + $5 * interval '1 s'
        where task_id = $1 and bucket = $2 and slice = $3 and epoch = $4 and state = 'leased'
        returning *
     )
     select ${CLAIMED_COLUMNS}
       from claimed c
       join slice_targets t using (task_id, bucket, slice)
      where t.task_id = $1`,
    [taskId, bucket, sliceNumber, epoch, leaseSeconds],
  );
  return slice;
}

/** A condition on a slice `s`: no place is open without a receipt. It stops at the first such place. */
export const isComplete = (status: string, received: string): string =>
  `not exists (select from generate_series(0, least(s.n, length(${status})) - 1) as place (i)
                where get_byte(${status}, i) < ${FINAL_STATUS_MIN} and get_bit(${received}, i) = 0)`;

/** The result that a holder writes to its slice. */
export interface SliceWrite {
  readonly claimed: Pick<ClaimedSlice, keyof SliceKey | 'epoch' | 'channel' | 'status' | 'received'>;
  readonly status: Buffer;
  readonly sent: Bits;
  readonly state: SliceState;
  readonly dueInMs: number;
  readonly attempts: number;
  /** Entries for the trace, which are stored with the time of the write. */
  readonly historyEntries?: readonly TraceEvent[];
}

export interface WrittenSlice extends SliceKey {
  readonly received: Bits;
  readonly cancelled: boolean;
}

/**
 * Writes the holders' decisions and returns the written slices. Slices whose epoch has changed are skipped. A slice
 * that starts to wait is due immediately if its last receipts were recorded after its holder read it.
 */
export async function writeSlices(db: ShardDb, writes: readonly SliceWrite[]): Promise<WrittenSlice[]> {
  return db.query<WrittenSlice>(
    `with w as (
       select *
         from unnest($1::bigint[], $2::smallint[], $3::int[], $4::int[], $5::bytea[], $6::varbit[], $7::text[],
                     $8::float8[], $9::smallint[], $12::text[])
              as u (task_id, bucket, slice, epoch, status, sent, state, next_in_ms, attempts, said)
     ), locked as (
       select w.*
         from slices s join w using (task_id, bucket, slice)
        where s.epoch = w.epoch and s.task_id between $10 and $11
        order by s.task_id, s.bucket, s.slice
          for update of s
     )
     update slices s
        set status = l.status, sent = s.sent | l.sent, state = l.state, attempts = l.attempts,
            failures = case when l.state = 'leased' then s.failures end, -- the intent of a call is not a result
            next_at = now() + interval '1 ms' * case
              when l.state = 'waiting' and ${isComplete('l.status', 's.received')} then 0
              else l.next_in_ms
            end, ${HISTORY}
       from locked l
      where (s.task_id, s.bucket, s.slice) = (l.task_id, l.bucket, l.slice) and s.task_id between $10 and $11
      returning s.task_id as "taskId", s.bucket, s.slice as "sliceNumber", s.received::text as received, s.cancelled`,
    [
      writes.map(({ claimed }) => claimed.taskId),
      writes.map(({ claimed }) => claimed.bucket),
      writes.map(({ claimed }) => claimed.sliceNumber),
      writes.map(({ claimed }) => claimed.epoch),
      writes.map(({ status }) => status),
      writes.map(({ sent }) => sent),
      writes.map(({ state }) => state),
      writes.map(({ dueInMs }) => dueInMs),
      writes.map(({ attempts }) => attempts),
      ...rangeOfTaskIds(writes.map(({ claimed }) => claimed.taskId)),
      writes.map(({ historyEntries = [] }) => formatEvents(historyEntries)),
    ],
  );
}

/**
 * Appends `l.said` to a slice's history. If there are too many entries, the oldest entry after the first ones is
 * dropped.
 */
const HISTORY = `
  history = case
    when l.said is null then s.history
    else case when cardinality(s.history) < ${HISTORY_MAX} then s.history
              else s.history[:${HISTORY_FIRST}] || s.history[${HISTORY_FIRST + 2}:] end
         || (floor(extract(epoch from now()) * 1000)::bigint || ' ' || l.said)
  end,
  history_dropped = s.history_dropped
    + case when l.said is not null and cardinality(s.history) >= ${HISTORY_MAX} then 1 else 0 end`;

/** Returns a slice and locks it until the transaction ends, regardless of which worker holds it. */
export async function lockSlice(
  db: ShardDb,
  key: SliceKey,
): Promise<{ epoch: number; status: Buffer; deviceIds: bigint[] } | undefined> {
  const [row] = await db.query<{ epoch: number; status: Buffer; deviceIds: bigint[] }>(
    `select s.epoch, s.status, t.device_ids as "deviceIds"
       from slices s
       join slice_targets t using (task_id, bucket, slice)
      where s.task_id = $1 and s.bucket = $2 and s.slice = $3
        for update of s`,
    [key.taskId, key.bucket, key.sliceNumber],
  );
  return row;
}

/** Reopens a slice for places that wait in the inbox again. Its epoch increases, so that no worker holds it. */
export async function reopenSlice(db: ShardDb, key: SliceKey, status: Buffer): Promise<void> {
  await db.query(
    `update slices set status = $4, state = 'waiting', epoch = epoch + 1, next_at = now()
      where task_id = $1 and bucket = $2 and slice = $3`,
    [key.taskId, key.bucket, key.sliceNumber, status],
  );
}

type SliceClaim = SliceKey & Pick<ClaimedSlice, 'epoch'>;

/** Releases slices that are still held, so that any worker can claim them immediately. */
export async function releaseSlices(db: ShardDb, claims: readonly SliceClaim[]): Promise<void> {
  await db.query(setLeaseEnds('for update of s'), [...claimColumns(claims), 0]);
}

/**
 * Extends the leases of slices that are still held. Locked slices are skipped: their holder is writing them, or the
 * next renewal extends them.
 */
export async function renewSlices(db: ShardDb, claims: readonly SliceClaim[], leaseSeconds: number): Promise<void> {
  await db.query(setLeaseEnds('for update of s skip locked'), [...claimColumns(claims), leaseSeconds]);
}

const setLeaseEnds = (lock: string): string => `
  with h as (
    select s.task_id, s.bucket, s.slice
      from slices s
      join unnest($1::bigint[], $2::smallint[], $3::int[], $4::int[]) as h (task_id, bucket, slice, epoch)
     using (task_id, bucket, slice)
     where s.epoch = h.epoch and s.state = 'leased' and s.task_id between $5 and $6
     order by s.task_id, s.bucket, s.slice
       ${lock}
  )
  update slices s set next_at = now() + $7 * interval '1 s'
    from h
   where (s.task_id, s.bucket, s.slice) = (h.task_id, h.bucket, h.slice) and s.task_id between $5 and $6`;

const claimColumns = (claims: readonly SliceClaim[]): unknown[] => [
  claims.map(({ taskId }) => taskId),
  claims.map(({ bucket }) => bucket),
  claims.map(({ sliceNumber }) => sliceNumber),
  claims.map(({ epoch }) => epoch),
  ...rangeOfTaskIds(claims.map(({ taskId }) => taskId)),
];

const SLICE_INPUT = `
  select u.*, nextval('slice_numbers')::int as slice
    from unnest($1::bigint[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::text[],
                $9::int[], $10::bytea[], $11::text[], $12::text[])
         with ordinality
         as u (task_id, bucket, app_id, channel, lane, state, next_in_ms, tried, native_slice, status, device_ids,
               generations, position)`;

const SLICE_INSERTS = `
  written as (
    insert into slices (task_id, bucket, slice, app_id, channel, lane, n, state, epoch, next_at, tried, native_slice,
                        status, sent, received)
    select task_id, bucket, slice, app_id, channel, lane, length(status), state, ${FIRST_EPOCH},
           now() + next_in_ms * interval '1 ms', string_to_array(tried, ','), native_slice, status,
           repeat('0', length(status))::varbit, repeat('0', length(status))::varbit
      from input
  ), targeted as (
    insert into slice_targets (task_id, bucket, slice, device_ids, generations)
    select task_id, bucket, slice, device_ids::bigint[], generations::int[] from input
  )`;

function sliceColumns(slices: readonly NewSlice[]): unknown[] {
  return [
    slices.map(({ taskId }) => taskId),
    slices.map(({ bucket }) => bucket),
    slices.map(({ appId }) => appId),
    slices.map(({ channel }) => channel),
    slices.map(({ lane }) => lane),
    slices.map(({ state }) => state),
    slices.map(({ dueInMs }) => dueInMs),
    slices.map(({ tried }) => tried.join(',')),
    slices.map(({ nativeSlice }) => nativeSlice),
    slices.map(({ status }) => status),
    slices.map(({ deviceIds }) => `{${deviceIds}}`),
    slices.map(({ generations }) => `{${generations}}`),
  ];
}

function toClaimedSlice({ state: _state, dueInMs: _dueInMs, ...slice }: NewSlice, sliceNumber: number): ClaimedSlice {
  return {
    ...slice,
    deviceIds: slice.deviceIds.split(',').map(BigInt),
    generations: slice.generations.split(',').map(Number),
    sliceNumber,
    epoch: FIRST_EPOCH,
    attempts: 0,
    cancelled: false,
    failures: 0,
    sent: noBits(slice.placeCount),
    received: noBits(slice.placeCount),
  };
}

/**
 * Returns the places of one device in these slices, if the notification was sent and the device still has the same owner.
 * A place with a receipt was sent, even if the worker has not recorded it yet. Slices of the Carillon channel are
 * included only for clicks.
 */
export async function findTriedPlaces(
  db: ShardDb,
  device: { readonly appId: string; readonly deviceId: bigint; readonly generation: number },
  keys: readonly SliceKey[],
  { isClick }: { readonly isClick: boolean },
): Promise<(SliceKey & { index: number; placeCount: number; channel: Channel })[]> {
  return db.query(
    `select "taskId", bucket, slice as "sliceNumber", n as "placeCount", place as index, channel from (
       select s.task_id as "taskId", s.bucket, s.slice, s.n, s.status, s.received, s.channel, t.generations,
              array_position(t.device_ids, $4::bigint) - 1 as place
         from slices s
         join slice_targets t using (task_id, bucket, slice)
        where (s.task_id, s.bucket, s.slice) in (select * from unnest($1::bigint[], $2::smallint[], $3::int[]))
          and s.app_id = $5 and s.task_id between $7 and $8 and t.task_id between $7 and $8
     ) as found
      where place is not null and generations[place + 1] = $6 and channel <> 'none' and (channel <> 'nativepush' or $9)
        and (get_byte(status, place) <> ${placeStatus.planned} or get_bit(received, place) = 1)`,
    [
      keys.map(({ taskId }) => taskId),
      keys.map(({ bucket }) => bucket),
      keys.map(({ sliceNumber }) => sliceNumber),
      device.deviceId,
      device.appId,
      device.generation,
      ...rangeOfTaskIds(keys.map(({ taskId }) => taskId)),
      isClick,
    ],
  );
}
