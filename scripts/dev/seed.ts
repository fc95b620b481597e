import assert from 'node:assert/strict';
import { createAdminToken, createApp } from '#src/api/create-app.ts';
import type { Environment, VendorName } from '#src/domain/channel.ts';
import { seal } from '#src/foundation/sealed-box.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { certificateContext, saveCertificate } from '#src/storage/accounts/certificates.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { insertOperator } from '#src/storage/operators/operators.ts';
import { insertUser } from '#src/storage/users/users.ts';
import type { VendorCertificate } from './simulator-process.ts';

/** Creates an app. The functions below add users, an admin token and vendor credentials. */

export async function seedApp(db: HomeDb, keyrings: Keyrings, appId: string): Promise<void> {
  assert.ok(await createApp(db, keyrings.apps, appId, appId));
}

export async function seedUser(
  db: HomeDb,
  appId: string,
  user: { name: string; password: string; mobile?: string; email?: string },
): Promise<bigint> {
  const { password, ...rest } = user;
  const userId = await insertUser(db, { appId, ...rest, passwordHash: await hashPassword(password) });
  assert.equal(typeof userId, 'bigint', `the ${userId} is already in use`);
  return userId as bigint;
}

export async function seedAdminToken(db: HomeDb, appId: string, scopes: readonly string[] = ['*']): Promise<string> {
  return (await createAdminToken(db, { appId, name: 'seed', scopes })).token;
}

/** Creates a platform operator for the console, unless the email address is already in use. */
export async function seedOperator(
  db: HomeDb,
  { password, ...operator }: { name: string; email: string; password: string },
): Promise<void> {
  await insertOperator(db, { ...operator, passwordHash: await hashPassword(password), isPlatform: true });
}

/** Saves the credentials for a vendor, for both environments. */
export async function seedCertificate(
  db: HomeDb,
  keyrings: Keyrings,
  appId: string,
  vendor: VendorName,
  credentials: VendorCertificate,
): Promise<void> {
  for (const environment of [0, 1] satisfies Environment[]) {
    const row = { appId, channel: vendor, environment } as const;
    await saveCertificate(db, {
      ...row,
      name: credentials.name,
      vendorAppId: credentials.app_id,
      appKey: credentials.app_key,
      appSecret: seal(keyrings.credentials, certificateContext(row, 'app_secret'), credentials.app_secret),
      certificate: seal(keyrings.credentials, certificateContext(row, 'certificate'), credentials.certificate),
      expiresAt: null,
      perSecond: null,
    });
  }
}
