import { type VendorName, vendorNames } from '#src/domain/channel.ts';
import type { HomeDb } from '../database/database.ts';
import { hashVendorToken } from './bindings.ts';

/** A vendor token of an app. */
export interface VendorToken {
  readonly appId: string;
  readonly channel: VendorName;
  readonly tokenHash: Buffer;
}

/** The device that a vendor token belongs to now. */
export interface VendorTokenOwner {
  readonly deviceId: bigint;
  readonly version: number;
}

export async function findVendorTokenOwner(
  db: HomeDb,
  { appId, channel, tokenHash }: VendorToken,
): Promise<VendorTokenOwner | undefined> {
  const [row] = await db.query<VendorTokenOwner>(
    'select device_id as "deviceId", version from vendor_token_owners where app_id = $1 and channel = $2 and token_hash = $3',
    [appId, channel, tokenHash],
  );
  return row;
}

/** Returns the devices that a vendor token belongs to. The vendor is not known, and a Web Push token is a URL or JSON. */
export async function findDevicesOfVendorToken(db: HomeDb, appId: string, token: string): Promise<bigint[]> {
  const hashes = vendorNames.map((channel) =>
    hashVendorToken(channel === 'webpush' ? subscriptionOf(token) : token, channel),
  );
  const rows = await db.query<{ deviceId: bigint }>(
    `select distinct device_id as "deviceId"
       from vendor_token_owners
      where app_id = $1 and (channel, token_hash) in (select * from unnest($2::text[], $3::bytea[]))`,
    [appId, vendorNames, hashes],
  );
  return rows.map(({ deviceId }) => deviceId);
}

/** Returns a Web Push subscription for the text of a subscription or for its URL alone. */
function subscriptionOf(text: string): string {
  try {
    const { endpoint } = JSON.parse(text) as { readonly endpoint?: unknown };
    if (typeof endpoint === 'string') return text;
  } catch {
    // The text is not JSON, so it can only be a URL.
  }
  return JSON.stringify({ endpoint: text });
}

/**
 * Assigns a vendor token to a device, if it still belongs to `previousOwner`. Returns false if another request has
 * reassigned it.
 */
export async function moveVendorToken(
  db: HomeDb,
  { appId, channel, tokenHash }: VendorToken,
  previousOwner: VendorTokenOwner | undefined,
  deviceId: bigint,
): Promise<boolean> {
  const rows = previousOwner
    ? await db.query(
        `update vendor_token_owners set device_id = $4, version = version + 1, bound_at = now()
          where app_id = $1 and channel = $2 and token_hash = $3 and device_id = $5 and version = $6
          returning version`,
        [appId, channel, tokenHash, deviceId, previousOwner.deviceId, previousOwner.version],
      )
    : await db.query(
        `insert into vendor_token_owners (app_id, channel, token_hash, device_id) values ($1, $2, $3, $4)
         on conflict do nothing
         returning version`,
        [appId, channel, tokenHash, deviceId],
      );
  return rows.length > 0;
}

/**
 * Confirms that the owner has bound the vendor token. The new version forces a concurrent takeover to check again.
 * Returns false if the token now belongs to another device.
 */
export async function confirmVendorTokenOwner(
  db: HomeDb,
  { appId, channel, tokenHash }: VendorToken,
  deviceId: bigint,
): Promise<boolean> {
  const rows = await db.query(
    `update vendor_token_owners set version = version + 1
      where app_id = $1 and channel = $2 and token_hash = $3 and device_id = $4
      returning version`,
    [appId, channel, tokenHash, deviceId],
  );
  return rows.length > 0;
}

/** Deletes the vendor token ownership of devices that are being erased or no longer exist. */
export async function deleteVendorTokenOwners(db: HomeDb, deviceIds: readonly bigint[]): Promise<void> {
  await db.query(
    `with gone as (
       select app_id, channel, token_hash
         from vendor_token_owners
        where device_id = any($1)
        order by 1, 2, 3
          for update
     )
     delete from vendor_token_owners o using gone g
      where (o.app_id, o.channel, o.token_hash) = (g.app_id, g.channel, g.token_hash)`,
    [deviceIds],
  );
}
