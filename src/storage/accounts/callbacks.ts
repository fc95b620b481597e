import { createHash } from 'node:crypto';
import type { VendorName } from '#src/domain/channel.ts';
import { type Keyring, open, seal } from '#src/foundation/sealed-box.ts';
import type { HomeDb } from '../database/database.ts';

/** The stored callback that a vendor sends an app's receipts to. Its secrets are sealed, bound to `callbackContext`. */
export interface Callback {
  readonly appId: string;
  readonly channel: VendorName;
  readonly secrets: Buffer;
}

export const callbackContext = ({ appId, channel }: Pick<Callback, 'appId' | 'channel'>): string =>
  JSON.stringify(['callbacks', appId, channel]);

/** The secret parts of a callback. */
export interface CallbackSecrets {
  /** The last segment of the callback URL. */
  readonly path: string;
  /** The key that references are signed with. */
  readonly referenceKey: string;
  /**
   * The user name and key with which the vendor signs callbacks, if the operator has configured them at the vendor;
   * otherwise empty.
   */
  readonly userName: string;
  readonly key: string;
}

export const openCallback = (keyring: Keyring, callback: Callback): CallbackSecrets =>
  JSON.parse(open(keyring, callbackContext(callback), callback.secrets)) as CallbackSecrets;

export const sealCallback = (
  keyring: Keyring,
  row: Pick<Callback, 'appId' | 'channel'>,
  secrets: CallbackSecrets,
): Buffer => seal(keyring, callbackContext(row), JSON.stringify(secrets));

/** Returns the path of a callback, relative to the address of the API. */
export const callbackPath = (channel: VendorName, { path }: Pick<CallbackSecrets, 'path'>): string =>
  `/callback/${channel}/${path}`;

/** Returns the URL that a vendor sends receipts to, or undefined if the public URL of the API is not set. */
export const callbackUrl = (
  publicUrl: string,
  channel: VendorName,
  secrets: Pick<CallbackSecrets, 'path'>,
): string | undefined => (publicUrl === '' ? undefined : publicUrl.replace(/\/$/, '') + callbackPath(channel, secrets));

/** Hashes the path of a callback. Callbacks are looked up by this hash. */
export const hashPath = (path: string): Buffer => createHash('sha256').update(path).digest();

const COLUMNS = 'app_id as "appId", channel, secrets';

export async function findCallbacks(db: HomeDb, appId: string): Promise<Callback[]> {
  return db.query<Callback>(`select ${COLUMNS} from callbacks where app_id = $1`, [appId]);
}

/** Returns the callback that receives receipts under this path. */
export async function findCallback(db: HomeDb, channel: VendorName, path: string): Promise<Callback | undefined> {
  const [row] = await db.query<Callback>(`select ${COLUMNS} from callbacks where path_hash = $1 and channel = $2`, [
    hashPath(path),
    channel,
  ]);
  return row;
}

/**
 * Replaces the stored callback. Returns false, and changes nothing, if another request has saved it since
 * `previousSecrets` was read.
 */
export async function saveCallback(
  db: HomeDb,
  { appId, channel, secrets }: Callback,
  path: string,
  previousSecrets: Buffer | undefined,
): Promise<boolean> {
  const rows = await db.query(
    `insert into callbacks (app_id, channel, path_hash, secrets) values ($1, $2, $3, $4)
     on conflict (app_id, channel) do update
        set path_hash = excluded.path_hash, secrets = excluded.secrets, updated_at = now()
      where callbacks.secrets = $5
     returning app_id`,
    [appId, channel, hashPath(path), secrets, previousSecrets ?? null],
  );
  return rows.length > 0;
}

/**
 * Time for which signatures are kept. It must be longer than a vendor's signature is valid: five minutes before and
 * after its timestamp.
 */
const SIGNATURE_SECONDS = 15 * 60;

/** Binds a signature to the first body that it was received with. Returns false if that was another body. */
export async function claimSignature(
  db: HomeDb,
  { appId, channel }: Pick<Callback, 'appId' | 'channel'>,
  signature: Buffer,
  body: string,
): Promise<boolean> {
  const rows = await db.query(
    `insert into callback_signatures as s (app_id, channel, signature, body_hash, until)
     values ($1, $2, $3, $4, now() + interval '${SIGNATURE_SECONDS} s')
     on conflict (app_id, channel, signature) do update set until = s.until where s.body_hash = excluded.body_hash
     returning 1`,
    [appId, channel, signature, createHash('sha256').update(body).digest()],
  );
  return rows.length > 0;
}

/** Deletes up to `limit` signatures that are no longer valid. Returns the number of deleted rows. */
export async function deleteOldSignatures(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from callback_signatures
      where (app_id, channel, signature) in (select app_id, channel, signature from callback_signatures
                                              where until < now()
                                              limit $1
                                                for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
