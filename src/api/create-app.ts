import { generateKeyPairSync } from 'node:crypto';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { type Keyring, seal } from '#src/foundation/sealed-box.ts';
import { appKeyContext, insertApp } from '#src/storage/accounts/apps.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { insertAdminToken, type NewAdminToken } from '#src/storage/users/tokens.ts';
import { ADMIN_TOKEN_PREFIX, TOKEN_BITS } from './http/authenticate.ts';

/**
 * Creates an app with its own Ed25519 key pair, whose private key is sealed. Returns false if the app ID already
 * exists.
 */
export function createApp(db: HomeDb, keyring: Keyring, appId: string, name: string): Promise<boolean> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return insertApp(db, {
    appId,
    name,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: seal(keyring, appKeyContext(appId), pem),
  });
}

/** Creates an admin token. Only its hash is stored, so the token can be shown only at this point. */
export async function createAdminToken(
  db: HomeDb,
  newToken: NewAdminToken,
): Promise<{ token: string; tokenId: bigint; expiresAt: Date | null }> {
  const token = withChecksum(ADMIN_TOKEN_PREFIX + randomText(TOKEN_BITS));
  return { token, ...(await insertAdminToken(db, token, newToken)) };
}
