import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import type { HomeDb } from '../database/database.ts';

/** The state of an account's rate limit at a vendor. */
export interface Rate extends AccountKey {
  /** The share of the limit that is currently available: 1, or less after throttling. */
  readonly share: number;
  readonly throttledAt: Date | null;
}

/** The share regained per second: after throttling, the full rate is restored within ten minutes. */
const RECOVERY_PER_SECOND = 1 / 600;
/** Minimum number of permits per second, so that a throttled account never stops completely. */
const PER_SECOND_MIN = 1;
/** The share of a second's permits that the `bulk` lane leaves to the `prompt` lane. */
const PROMPT_SHARE = 0.2;

export interface PermitRequest {
  readonly requested: number;
  /** The vendor's default limit, or the limit agreed with the vendor. */
  readonly limitPerSecond: number;
  readonly isPrompt: boolean;
  /** Duration of the ramp of a large send. Undefined if the vendor does not need one. */
  readonly rampSeconds?: number | undefined;
}

/**
 * An account's current share of its limit. The share stays the same when the limit changes, even while workers still
 * use different limits.
 */
const SHARE = `
  least(1, per_second / coalesce(limit_per_second, per_second)
           + greatest(extract(epoch from now() - at), 0) * ${RECOVERY_PER_SECOND})::real`;

/** The first share of the limit of a large send. The share grows to the full limit within the time of the ramp. */
const RAMP_START = 0.1;
/** Large sends within this time share one ramp. */
const RAMP_INTERVAL = '10 min';

/** The share of the limit that is available during a ramp of $7 seconds. */
const RAMP = `
  case when ramp_at is null or $7::real is null then 1
       else least(1, ${RAMP_START} + ${1 - RAMP_START} * greatest(extract(epoch from now() - ramp_at), 0) / $7::real) end`;

/** The number of granted permits, and the number of permits that accrue per second. */
export interface Permits {
  readonly granted: number;
  readonly perSecond: number;
}

/**
 * Takes up to `requested` accrued permits in one statement, at most one second's worth. The `bulk` lane leaves some
 * permits to the `prompt` lane.
 */
export async function takePermits(db: HomeDb, key: AccountKey, request: PermitRequest): Promise<Permits> {
  const permits = await takePermitsFromRow(db, key, request);
  if (permits) return permits;
  await db.query(
    `insert into rates (app_id, channel, environment, per_second, limit_per_second, permits, at)
     values ($1, $2, $3, $4, $4, $4, now())
     on conflict do nothing`,
    [key.appId, key.channel, key.environment, request.limitPerSecond],
  );
  return (await takePermitsFromRow(db, key, request)) ?? { granted: 0, perSecond: request.limitPerSecond };
}

async function takePermitsFromRow(
  db: HomeDb,
  { appId, channel, environment }: AccountKey,
  { requested, limitPerSecond, isPrompt, rampSeconds }: PermitRequest,
): Promise<Permits | undefined> {
  const [row] = await db.query<Permits>(
    `with locked as (
       select greatest($4::real * ${SHARE}, ${PER_SECOND_MIN}) as unramped, permits, (${RAMP})::real as ramp,
              greatest(extract(epoch from now() - at), 0)::real as seconds
         from rates
        where app_id = $1 and channel = $2 and environment = $3
          for update
     ), ramped as (
       select unramped, permits, seconds, greatest(unramped * ramp, ${PER_SECOND_MIN}) as per_second from locked
     ), due as (
       select unramped, per_second, least(per_second, permits + per_second * seconds) as permits from ramped
     ), taken as (
       -- Only whole permits are granted; with one permit per second, bulk work would otherwise never get any.
       select unramped, per_second, permits, greatest(0, least($5::real, floor(permits) - floor($6::real * per_second))) as granted
         from due
     )
     update rates r
        set per_second = t.unramped, limit_per_second = $4, permits = t.permits - t.granted, at = now()
       from taken t
      where r.app_id = $1 and r.channel = $2 and r.environment = $3
     returning t.granted, t.per_second as "perSecond"`,
    [appId, channel, environment, limitPerSecond, requested, isPrompt ? 0 : PROMPT_SHARE, rampSeconds ?? null],
  );
  return row;
}

/** Starts the ramp of a large send, unless a large send of the last minutes has started one. */
export async function startRamp(db: HomeDb, key: AccountKey, limitPerSecond: number): Promise<void> {
  await db.query(
    `insert into rates as r (app_id, channel, environment, per_second, limit_per_second, permits, at, ramp_at)
     values ($1, $2, $3, $4, $4, 0, now(), now())
     on conflict (app_id, channel, environment) do update set ramp_at = now(), permits = 0
      where r.ramp_at is null or r.ramp_at < now() - interval '${RAMP_INTERVAL}'`,
    [key.appId, key.channel, key.environment, limitPerSecond],
  );
}

/**
 * Halves an account's rate after the vendor throttled it, at most once per second. Returns whether the rate was halved.
 */
export async function halveRate(db: HomeDb, { appId, channel, environment }: AccountKey): Promise<boolean> {
  const rows = await db.query(
    `update rates set per_second = greatest(per_second / 2, $4), permits = 0, throttled_at = now()
      where app_id = $1 and channel = $2 and environment = $3
        and (throttled_at is null or throttled_at < now() - interval '1 s')
      returning app_id`,
    [appId, channel, environment, PER_SECOND_MIN],
  );
  return rows.length > 0;
}

/**
 * Returns an account's permits per second under a limit: its share of the limit, or the full limit if nothing was ever
 * sent.
 */
export const perSecondOf = (limitPerSecond: number, rate: Rate | undefined): number =>
  Math.max(limitPerSecond * (rate?.share ?? 1), PER_SECOND_MIN);

export async function findRates(db: HomeDb, appId: string): Promise<Rate[]> {
  return db.query<Rate>(
    `select app_id as "appId", channel, environment, ${SHARE} as share, throttled_at as "throttledAt"
       from rates
      where app_id = $1`,
    [appId],
  );
}
