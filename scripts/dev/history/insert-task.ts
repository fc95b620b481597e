import { channels } from '#src/domain/channel.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { firstTaskIdAt, LIFETIME_SECONDS } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { hasReceipts } from './insert-devices.ts';
import type { PlannedTask } from './planned-tasks.ts';

/** The audience is divided into this many ranges of buckets, as the service does with large audiences. */
const RANGES = 8;
const BUCKETS_PER_RANGE = 4_096 / RANGES;

/** How often a channel fails for a device, and the vendor's reason. */
const failures: Readonly<Record<string, readonly [share: number, reason: string]>> = {
  apns: [0.013, 'Unregistered'],
  fcm: [0.031, 'UNREGISTERED'],
  huawei: [0.008, '80300007'],
  honor: [0.006, '80300007'],
  xiaomi: [0.011, '20301'],
  oppo: [0.014, '10000'],
  vivo: [0.017, '10302'],
  harmony: [0.004, '80300007'],
  flyme: [0.052, '110005'],
};

type PastAudience =
  | Exclude<PlannedTask['audience'], { kind: 'one-user' }>
  | { readonly kind: 'user_id'; readonly userIds: readonly bigint[] };

/**
 * Inserts a task of the past with its slices, as the service would have left them when the task was finished. The task ID
 * consists of the time and `bucket`, so two tasks of the same time need different buckets.
 */
export async function insertTask(db: HomeDb, appId: string, task: PlannedTask, bucket: number): Promise<void> {
  const { at, title, body, cancelled = false } = task;
  const taskId = firstTaskIdAt(at) + BigInt(bucket);
  const audience: PastAudience = task.audience.kind === 'one-user' ? await oneUser(db, appId) : task.audience;
  const isBulk = audience.kind === 'all' || audience.kind === 'tag';
  await db.query(
    `insert into tasks (task_id, app_id, author, lane, state, by_range, strategy, ospush_sequence, audience, message,
                        due_at, not_after, next_at, accepted_at, finished_at, cancelled_at, epoch, token_kind, token_id)
     select $1, $2, 'admin', $3, 'finished', $4, 'combined', '{huawei,ups,fcm}', $5, $6, $7::timestamptz,
            $7::timestamptz + interval '${LIFETIME_SECONDS} s', $7, $7, $7::timestamptz + interval '41 s',
            case when $8 then $7::timestamptz + interval '3 s' end, 1, 'admin', token_id
       from admin_tokens where app_id = $2 limit 1`,
    [
      taskId,
      appId,
      isBulk ? 'bulk' : 'prompt',
      isBulk,
      stringifyJson(audience),
      stringifyJson({ title, body }),
      at,
      cancelled,
    ],
  );
  await db.query(
    `insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
     select $1, first, 0, case when $3 then first + ${BUCKETS_PER_RANGE - 1} else first end, $4, $2,
            case when $3 then 'bulk' else 'prompt' end, 'done', $5, $5
       from (select case when $3 then r * ${BUCKETS_PER_RANGE} else $6 end as first
               from generate_series(0, case when $3 then ${RANGES - 1} else 0 end) as r) as ranges`,
    [taskId, appId, isBulk, INT64_MAX, at, bucket],
  );
  await insertSlices(db, appId, taskId, task, isBulk ? null : bucket, audience);
}

async function oneUser(db: HomeDb, appId: string) {
  const [row] = await db.query<{ userId: bigint }>(
    `select user_id as "userId" from users where app_id = $1 and user_id >= 200000 + floor(random() * 10000)::int
      order by user_id limit 1`,
    [appId],
  );
  return { kind: 'user_id', userIds: [(row as { userId: bigint }).userId] } as const;
}

/** Selects the devices `d` of each kind of audience. One of `$5` and `$6` is null, and `all` uses neither. */
const AUDIENCE_CONDITION = {
  all: '$5::text[] is null and $6::bigint[] is null',
  tag: `$6::bigint[] is null and (d.bucket, d.device_id) in
        (select t.bucket, t.device_id from tags t where t.app_id = $1 and t.tag = any($5::text[]))`,
  user_id: '$5::text[] is null and d.user_id = any($6::bigint[])',
} as const;

/**
 * Inserts the slices of a task, each with up to 512 devices of one range and channel. `bucket` is the bucket of the only
 * expansion of a list, or null for ranges.
 */
async function insertSlices(
  db: HomeDb,
  appId: string,
  taskId: bigint,
  { at, rejectedBy, cancelled = false }: PlannedTask,
  bucket: number | null,
  audience: PastAudience,
): Promise<void> {
  const { sent, dead, failed, expired, cancelled: cancelledStatus } = placeStatus;
  await db.query(
    `with audience as (
       select d.bucket, d.device_id, d.generation, coalesce(b.channel, 'nativepush') as channel, random() as luck,
              random() as receipt, random() as click
         from devices d
         left join bindings b using (app_id, bucket, device_id)
        where d.app_id = $1 and d.registered_at <= $3
          and ${AUDIENCE_CONDITION[audience.kind]}
     ), placed as (
       select *, coalesce($4::smallint, d.bucket / ${BUCKETS_PER_RANGE} * ${BUCKETS_PER_RANGE})::smallint as home_bucket,
              row_number() over (partition by coalesce($4::smallint, d.bucket / ${BUCKETS_PER_RANGE}), channel
                                 order by d.bucket, device_id) - 1 as position
         from audience d
     ), results as (
       select p.*, f.reason, f.receipts,
              case when $8 and luck < 0.6 then ${cancelledStatus}
                   when channel = $7 then ${failed}
                   when channel = 'nativepush' then case when luck < 0.12 then ${expired} else ${sent} end
                   when luck < f.share then ${dead}
                   else ${sent} end as status
         from placed p
         left join unnest($9::text[], $10::float8[], $11::text[], $12::boolean[]) as f (name, share, reason, receipts)
           on f.name = p.channel
     ), marked as (
       select *, receipt < 0.82 and receipts and status = ${sent} as received, position % 512 as place
         from results
     ), made as materialized (
       select home_bucket, channel, nextval('slice_numbers')::int as slice, count(*)::int as n,
              array_agg(device_id order by place) as device_ids, array_agg(generation order by place) as generations,
              decode(string_agg(lpad(to_hex(status), 2, '0'), '' order by place), 'hex') as status,
              string_agg(case when status = ${sent} then '1' else '0' end, '' order by place)::varbit as sent,
              string_agg(case when received then '1' else '0' end, '' order by place)::varbit as received,
              string_agg(case when received and click < 0.11 then '1' else '0' end, '' order by place)::varbit as clicked,
              concat_ws(e'\\n',
                case when channel = 'nativepush' then 'written ' else 'accepted ' end
                  || string_agg(place::text, ',' order by place) filter (where status = ${sent}),
                'token-dead ' || string_agg(place::text, ',' order by place) filter (where status = ${dead})
                  || ' ' || min(reason),
                'locked-out ' || string_agg(place::text, ',' order by place) filter (where status = ${failed})
                  || ' 11: Invalid AuthToken',
                'expired ' || string_agg(place::text, ',' order by place) filter (where status = ${expired}),
                'cancelled ' || string_agg(place::text, ',' order by place) filter (where status = ${cancelledStatus})
              ) as events
         from marked
        group by home_bucket, channel, position / 512
     ), targets as (
       insert into slice_targets (task_id, bucket, slice, device_ids, generations)
       select $2, home_bucket, slice, device_ids, generations from made
     )
     insert into slices (task_id, bucket, slice, app_id, channel, lane, n, state, epoch, next_at, attempts, cancelled,
                         status, sent, received, clicked, history)
     select $2, home_bucket, slice, $1, channel, case when $4 is null then 'bulk' else 'prompt' end, n, 'closed', 1, $3, 1,
            $8, status, sent, received, case when bit_count(clicked) > 0 then clicked end,
            array[floor(extract(epoch from $3::timestamptz) * 1000 + 1400)::bigint || ' ' || events]
       from made`,
    [
      ...[appId, taskId, at, bucket],
      'names' in audience ? audience.names : null,
      'userIds' in audience ? audience.userIds : null,
      ...[rejectedBy ?? null, cancelled],
      channels,
      channels.map((channel) => failures[channel]?.[0] ?? 0),
      channels.map((channel) => failures[channel]?.[1] ?? ''),
      channels.map(hasReceipts),
    ],
  );
}
