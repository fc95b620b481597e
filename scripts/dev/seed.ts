import { generateKeyPairSync } from 'node:crypto';
import { ADMIN_TOKEN_PREFIX } from '#src/api/authenticate.ts';
import type { Environment } from '#src/domain/channel.ts';
import { hashPassword } from '#src/foundation/password.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { type Keyring, seal } from '#src/foundation/sealed-box.ts';
import { appKeyContext, insertApp } from '#src/truth/apps.ts';
import { certificateContext, saveCertificate } from '#src/truth/certificates.ts';
import type { HomeDb } from '#src/truth/database.ts';
import { insertAdminToken } from '#src/truth/tokens.ts';
import { insertUser } from '#src/truth/users.ts';

/** What an app needs before anything can be tried: itself, people, and a token to notify with. */

export async function seedApp(db: HomeDb, keyring: Keyring, appId: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await insertApp(db, {
    appId,
    name: appId,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: seal(keyring, appKeyContext(appId), pem),
  });
}

export async function seedUser(
  db: HomeDb,
  appId: string,
  user: { name: string; password: string; mobile?: string; email?: string },
): Promise<bigint> {
  const { password, ...rest } = user;
  return insertUser(db, { appId, ...rest, passwordHash: await hashPassword(password) });
}

export async function seedAdminToken(db: HomeDb, appId: string, scopes: readonly string[] = ['*']): Promise<string> {
  const token = withChecksum(ADMIN_TOKEN_PREFIX + randomText(256));
  await insertAdminToken(db, token, { appId, name: 'seed', scopes });
  return token;
}

export async function seedApnsCertificate(
  db: HomeDb,
  keyring: Keyring,
  appId: string,
  key: { topic: string; keyId: string; teamId: string; p8: string },
): Promise<void> {
  for (const environment of [0, 1] satisfies Environment[]) {
    const row = { appId, channel: 'apns', environment } as const;
    await saveCertificate(db, {
      ...row,
      name: 'APNs',
      vendorAppId: key.topic,
      appKey: key.keyId,
      appSecret: seal(keyring, certificateContext(row, 'app_secret'), key.teamId),
      certificate: seal(keyring, certificateContext(row, 'certificate'), key.p8),
    });
  }
}
