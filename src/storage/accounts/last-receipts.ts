import type { VendorName } from '#src/domain/channel.ts';
import type { HomeDb } from '../database/database.ts';

/** When a vendor last reported a receipt that was recorded. A vendor has one callback URL for both environments. */
export interface LastReceipt {
  readonly appId: string;
  readonly channel: VendorName;
  readonly at: Date;
}

/** Returns the last receipt of each vendor of an app. */
export async function findLastReceipts(db: HomeDb, appId: string): Promise<LastReceipt[]> {
  return db.query<LastReceipt>('select app_id as "appId", channel, at from last_receipts where app_id = $1', [appId]);
}

/** Saves the time of a receipt, unless a later one is stored. */
export async function saveLastReceipt(db: HomeDb, { appId, channel, at }: LastReceipt): Promise<void> {
  await db.query(
    `insert into last_receipts as r (app_id, channel, at) values ($1, $2, $3)
     on conflict (app_id, channel) do update set at = excluded.at where r.at < excluded.at`,
    [appId, channel, at],
  );
}
