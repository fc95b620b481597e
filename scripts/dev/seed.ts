import assert from 'node:assert/strict';
import { makeAdminToken, makeApp } from '#src/api/make-app.ts';
import type { Environment } from '#src/domain/channel.ts';
import { hashPassword } from '#src/foundation/password.ts';
import { type Keyring, seal } from '#src/foundation/sealed-box.ts';
import { certificateContext, saveCertificate } from '#src/truth/certificates.ts';
import type { HomeDb } from '#src/truth/database.ts';
import { insertUser } from '#src/truth/users.ts';

/** What an app needs before anything can be tried: itself, people, and a token to notify with. */

export async function seedApp(db: HomeDb, keyring: Keyring, appId: string): Promise<void> {
  assert.ok(await makeApp(db, keyring, appId, appId));
}

export async function seedUser(
  db: HomeDb,
  appId: string,
  user: { name: string; password: string; mobile?: string; email?: string },
): Promise<bigint> {
  const { password, ...rest } = user;
  const userId = await insertUser(db, { appId, ...rest, passwordHash: await hashPassword(password) });
  assert.equal(typeof userId, 'bigint', `the ${userId} is taken`);
  return userId as bigint;
}

export async function seedAdminToken(db: HomeDb, appId: string, scopes: readonly string[] = ['*']): Promise<string> {
  return (await makeAdminToken(db, { appId, name: 'seed', scopes })).token;
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
      expiresAt: null,
    });
  }
}
