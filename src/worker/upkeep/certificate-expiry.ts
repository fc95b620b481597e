import type { Log } from '#src/foundation/log.ts';
import { type ExpiringCertificate, findExpiringCertificates } from '#src/storage/accounts/certificates.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { takePoints } from '#src/storage/users/rate-limits.ts';
import { workerMetrics } from '../metrics.ts';

const DAY_MS = 86_400_000;
/** Warns 30 days ahead, so that operators have time to renew the credentials. */
const WARN_DAYS = 30;
/** Logged as `error` from 3 days before the expiry, because the vendor rejects every call afterwards. */
const ERROR_DAYS = 3;
const GAUGE_DAYS = [0, ERROR_DAYS, 14, WARN_DAYS];
/** Maximum number of credentials that are logged and counted. More warnings would not help. */
const CERTIFICATES_MAX = 1_000;
/**
 * Every worker checks every hour, and one of them logs once a day. The interval is a little shorter than a day, because
 * the hourly checks do not run at exact intervals.
 */
const WARN_INTERVAL_SECONDS = 23 * 60 * 60 + 30 * 60;

/** Logs credentials of enabled apps that expire soon or have expired. */
export async function warnExpiringCertificates(db: HomeDb, now: Date, log: Log): Promise<void> {
  const until = new Date(now.getTime() + WARN_DAYS * DAY_MS);
  const expiring = (await findExpiringCertificates(db, until, CERTIFICATES_MAX)).map((certificate) => {
    const daysLeft = (certificate.expiresAt.getTime() - now.getTime()) / DAY_MS;
    return { ...certificate, daysLeft, level: daysLeft <= ERROR_DAYS ? ('error' as const) : ('warn' as const) };
  });
  for (const days of GAUGE_DAYS)
    workerMetrics.certificatesExpiring.set(
      { within: `${days}d` },
      expiring.filter(({ daysLeft }) => daysLeft <= days).length,
    );
  if (expiring.length === 0) return;
  const permits = await takePoints(db, expiring.map(warningLimitOf));
  expiring.forEach(({ level, daysLeft, version: _, ...fields }, i) => {
    if ((permits[i]?.remaining ?? 0) >= 0)
      log[level]('certificate-expires', { ...fields, daysLeft: Math.floor(daysLeft) });
  });
}

/**
 * Returns the limit for one warning. New credentials and a higher level have a different key, so that they are logged
 * immediately.
 */
function warningLimitOf({
  appId,
  channel,
  environment,
  version,
  level,
}: ExpiringCertificate & { readonly level: string }) {
  const key = JSON.stringify(['certificate-expires', appId, channel, environment, version, level]);
  return { key, pointsMax: 1, seconds: WARN_INTERVAL_SECONDS };
}
