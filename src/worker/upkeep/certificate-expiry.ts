import type { Log } from '#src/foundation/log.ts';
import { type ExpiringCertificate, findExpiringCertificates } from '#src/storage/accounts/certificates.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { takePoints } from '#src/storage/users/rate-limits.ts';
import { workerMetrics } from '../metrics.ts';

const DAY_MS = 86_400_000;
/** Early enough for somebody who is on holiday. */
const WARN_DAYS = 30;
/** From here on a person must act: afterwards the vendor takes nothing any more. */
const ERROR_DAYS = 3;
const GAUGE_DAYS = [0, ERROR_DAYS, 14, WARN_DAYS];
/** Whoever has more of them has been told enough; the gauge counts no further either. */
const CERTIFICATES_MAX = 1_000;
/** Every worker looks every hour, and one of them tells once a day; a little less, since an hour is never exact. */
const WARN_INTERVAL_SECONDS = 23 * 60 * 60 + 30 * 60;

/** Warns of certificates that expire soon or have expired, of apps that are in use. */
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

/** One that is saved anew, or has become urgent, is told of at once. */
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
