import type { Static, TObject } from 'typebox';
import type { appRecord, appSettings, usageRecord } from '#src/contract/schemas/app-record.ts';
import { isCountry } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import type { App, AppSettings } from '#src/storage/accounts/apps.ts';
import type { AppLimits, Usage } from '#src/storage/accounts/ceilings.ts';

/** Converts the ceilings and the usage of an app to their API records. */
export function toLimitsRecord({ ceilings, usage }: AppLimits): Pick<Static<typeof appRecord>, 'ceilings' | 'usage'> {
  return {
    ceilings: { notify_per_second: BigInt(ceilings.notifyPerSecond), ...toCountsRecord(ceilings) },
    usage: toCountsRecord(usage),
  };
}

const toCountsRecord = (counts: Usage): Static<typeof usageRecord> => ({
  open_tasks: BigInt(counts.openTasks),
  users: BigInt(counts.users),
  devices: BigInt(counts.devices),
  stored_bytes: BigInt(counts.storedBytes),
  sessions: BigInt(counts.sessions),
});

/** Converts an app to its API record. */
export function toAppRecord(app: App, limits: AppLimits): Static<typeof appRecord> {
  return {
    app_id: app.appId,
    name: app.name,
    token_days: app.tokenDays,
    http_errors: app.httpErrors,
    user_push: app.userPush,
    registration: app.registration,
    country: app.country,
    notify_per_second: app.notifyPerSecond ?? 0,
    extra_counters: app.extraCounters,
    reject_typos: app.rejectTypos,
    approval_above: app.approvalAbove === null ? null : BigInt(app.approvalAbove),
    cors_origins: [...app.corsOrigins],
    public_key: app.publicKey,
    disabled: app.disabled,
    created_at: BigInt(app.createdAt.getTime()),
    ...toLimitsRecord(limits),
  };
}

/** Converts the given API fields to app settings. */
export function readAppSettings(fields: Static<TObject<typeof appSettings>>): Partial<AppSettings> {
  const { name, token_days, http_errors, user_push, registration, country } = fields;
  const { notify_per_second, extra_counters, reject_typos, approval_above, cors_origins } = fields;
  if (country !== undefined && !isCountry(country))
    throw new Problem('bad-parameter', 'country must be a two-letter country code (ISO 3166).');
  return {
    ...(name !== undefined && { name }),
    ...(token_days !== undefined && { tokenDays: token_days }),
    ...(http_errors !== undefined && { httpErrors: http_errors }),
    ...(user_push !== undefined && { userPush: user_push }),
    ...(registration !== undefined && { registration }),
    ...(country !== undefined && { country }),
    ...(notify_per_second !== undefined && { notifyPerSecond: notify_per_second === 0 ? null : notify_per_second }),
    ...(extra_counters !== undefined && { extraCounters: extra_counters }),
    ...(reject_typos !== undefined && { rejectTypos: reject_typos }),
    ...(approval_above !== undefined && { approvalAbove: approval_above === -1 ? null : approval_above }),
    ...(cors_origins !== undefined && { corsOrigins: toOrigins(cors_origins) }),
  };
}

/** A blank list leaves the origins unchanged, so this word removes them. */
const NO_ORIGINS = 'none';

function toOrigins(items: readonly string[]): readonly string[] {
  if (items.length === 1 && items[0] === NO_ORIGINS) return [];
  const wrong = items.find((item) => !isOrigin(item));
  if (wrong !== undefined)
    throw new Problem(
      'bad-parameter',
      `cors_origins must contain exact origins such as https://shop.example.com, in lower case and without a path (${wrong}).`,
    );
  return [...new Set(items)];
}

/** Returns whether a browser sends this string as the origin of a page. It never sends the default port of a scheme. */
const isOrigin = (text: string): boolean => ORIGIN.test(text) && URL.parse(text)?.origin === text;
/** A URL can contain more characters in its host, such as `*`. */
const ORIGIN = /^https?:\/\/[a-z\d.:[\]-]+$/;
