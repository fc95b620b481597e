import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { HomeDb } from '../database/database.ts';

/** An app's credentials at a vendor, as stored. The two secret fields are sealed, bound to `certificateContext`. */
export interface Certificate {
  readonly appId: string;
  readonly channel: VendorName;
  readonly environment: Environment;
  readonly name: string;
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: Buffer;
  readonly certificate: Buffer;
  /** Null if the credentials never expire. */
  readonly expiresAt: Date | null;
  /** The rate limit agreed with the vendor. Null means the vendor's limit for all apps. */
  readonly perSecond: number | null;
  readonly version: number;
  readonly updatedAt: Date;
}

/** Returns the row and field that a secret belongs to. A sealed value that is moved elsewhere cannot be opened. */
export function certificateContext(
  row: { appId: string; channel: VendorName; environment: Environment },
  field: 'app_secret' | 'certificate',
): string {
  return JSON.stringify(['certificates', row.appId, row.channel, row.environment, field]);
}

const COLUMNS = `
  app_id as "appId", channel, environment, name, vendor_app_id as "vendorAppId", app_key as "appKey",
  app_secret as "appSecret", certificate, expires_at as "expiresAt", per_second as "perSecond", version,
  updated_at as "updatedAt"`;

export async function saveCertificate(
  db: HomeDb,
  certificate: Omit<Certificate, 'version' | 'updatedAt'>,
): Promise<Certificate> {
  const [saved] = await db.query<Certificate>(
    `insert into certificates
       (app_id, channel, environment, name, vendor_app_id, app_key, app_secret, certificate, expires_at, per_second,
        version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
             1 + coalesce((select version from deleted_certificates
                            where app_id = $1 and channel = $2 and environment = $3), 0))
     on conflict (app_id, channel, environment) do update
        set name = excluded.name, vendor_app_id = excluded.vendor_app_id, app_key = excluded.app_key,
            app_secret = excluded.app_secret, certificate = excluded.certificate, expires_at = excluded.expires_at,
            per_second = excluded.per_second, version = certificates.version + 1, updated_at = now()
     returning ${COLUMNS}`,
    [
      certificate.appId,
      certificate.channel,
      certificate.environment,
      certificate.name,
      certificate.vendorAppId,
      certificate.appKey,
      certificate.appSecret,
      certificate.certificate,
      certificate.expiresAt,
      certificate.perSecond,
    ],
  );
  return saved as Certificate;
}

/** Returns an app's credentials, the earliest expiry first. */
export async function findCertificates(db: HomeDb, appId: string): Promise<Certificate[]> {
  return db.query<Certificate>(
    `select ${COLUMNS} from certificates where app_id = $1 order by expires_at nulls last, channel, environment`,
    [appId],
  );
}

/** The name and expiry of an app's credentials. */
export interface ExpiringCertificate
  extends Pick<Certificate, 'appId' | 'channel' | 'environment' | 'name' | 'version'> {
  readonly expiresAt: Date;
}

/** Returns the credentials of all enabled apps that expire by `until`, the earliest expiry first. */
export async function findExpiringCertificates(db: HomeDb, until: Date, limit: number): Promise<ExpiringCertificate[]> {
  return db.query<ExpiringCertificate>(
    `select c.app_id as "appId", c.channel, c.environment, c.name, c.version, c.expires_at as "expiresAt"
       from certificates c join apps a using (app_id)
      where c.expires_at <= $1 and a.disabled_at is null
      order by c.expires_at, c.app_id, c.channel, c.environment
      limit $2`,
    [until, limit],
  );
}

/**
 * Deletes credentials but keeps their version, so that credentials saved later get a different one. Returns false if
 * there were none.
 */
export async function deleteCertificate(
  db: HomeDb,
  { appId, channel, environment }: Pick<Certificate, 'appId' | 'channel' | 'environment'>,
): Promise<boolean> {
  const rows = await db.query(
    `with gone as (
       delete from certificates where app_id = $1 and channel = $2 and environment = $3
       returning app_id, channel, environment, version
     )
     insert into deleted_certificates (app_id, channel, environment, version)
     select app_id, channel, environment, version from gone
     on conflict (app_id, channel, environment) do update set version = excluded.version
     returning version`,
    [appId, channel, environment],
  );
  return rows.length > 0;
}
