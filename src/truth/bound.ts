import type { Vendor } from '#src/domain/channel.ts';
import type { HomeDb } from './database.ts';

/** The device that a vendor token belongs to now. */
export async function findBound(
  db: HomeDb,
  appId: string,
  channel: Vendor,
  tokenHash: Buffer,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ deviceId: bigint }>(
    `select device_id as "deviceId" from bound where app_id = $1 and channel = $2 and token_hash = $3`,
    [appId, channel, tokenHash],
  );
  return row?.deviceId;
}

export async function saveBound(
  db: HomeDb,
  appId: string,
  channel: Vendor,
  tokenHash: Buffer,
  deviceId: bigint,
): Promise<void> {
  await db.query(
    `insert into bound (app_id, channel, token_hash, device_id) values ($1, $2, $3, $4)
     on conflict (app_id, channel, token_hash) do update set device_id = excluded.device_id, bound_at = now()`,
    [appId, channel, tokenHash, deviceId],
  );
}
