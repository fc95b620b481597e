import type { Environment, Vendor } from '#src/domain/channel.ts';
import type { HomeDb } from './database.ts';

/** A vendor's credentials as they are stored: the two secret fields sealed, bound to `certificateContext`. */
export interface Certificate {
  readonly appId: string;
  readonly channel: Vendor;
  readonly environment: Environment;
  readonly name: string;
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: Buffer;
  readonly certificate: Buffer;
  readonly version: number;
}

/** The row and field a secret belongs to: a sealed value moved elsewhere does not open. */
export function certificateContext(
  row: { appId: string; channel: Vendor; environment: Environment },
  field: 'app_secret' | 'certificate',
): string {
  return JSON.stringify(['certificates', row.appId, row.channel, row.environment, field]);
}

export async function saveCertificate(db: HomeDb, certificate: Omit<Certificate, 'version'>): Promise<void> {
  await db.query(
    `insert into certificates (app_id, channel, environment, name, vendor_app_id, app_key, app_secret, certificate)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (app_id, channel, environment) do update
        set name = excluded.name, vendor_app_id = excluded.vendor_app_id, app_key = excluded.app_key,
            app_secret = excluded.app_secret, certificate = excluded.certificate,
            version = certificates.version + 1, updated_at = now()`,
    [
      certificate.appId,
      certificate.channel,
      certificate.environment,
      certificate.name,
      certificate.vendorAppId,
      certificate.appKey,
      certificate.appSecret,
      certificate.certificate,
    ],
  );
}

export async function findCertificates(db: HomeDb, appId: string): Promise<Certificate[]> {
  return db.query<Certificate>(
    `select app_id as "appId", channel, environment, name, vendor_app_id as "vendorAppId", app_key as "appKey",
            app_secret as "appSecret", certificate, version
       from certificates
      where app_id = $1`,
    [appId],
  );
}
