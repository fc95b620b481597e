import { bucketOfGuid } from '#src/domain/bucket.ts';
import type { Environment, VendorName } from '#src/domain/channel.ts';
import { seal } from '#src/foundation/sealed-box.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { certificateContext, saveCertificate } from '#src/storage/accounts/certificates.ts';
import { registerDevice } from '#src/storage/devices/ownership.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import { insertGroup, insertMembers } from '#src/storage/users/groups.ts';
import { hashToken, insertAdminToken, insertUserToken } from '#src/storage/users/tokens.ts';
import { seedApp } from '../../../scripts/dev/seed.ts';
import type { Carillon } from '../../support/carillon.ts';
import { apps, certificates, devices, groups, tokens, una, users } from './fixtures.ts';
import { seedDeviceFixtures } from './seed-devices.ts';
import { seedOperatorFixtures } from './seed-operators.ts';
import { seedUserFixtures } from './seed-users.ts';

/** Stores all fixtures in the databases of a service. */
export async function seedFixtures(carillon: Carillon): Promise<void> {
  await seedApps(carillon);
  await seedUsers(carillon);
  await seedGroups(carillon);
  await seedAdmins(carillon);
  await seedUserTokens(carillon);
  await seedCertificates(carillon);
  await seedUserFixtures(carillon);
  await seedDeviceFixtures(carillon);
  await seedOperatorFixtures(carillon);
}

async function seedApps({ storage: { home }, keyrings, appId }: Carillon): Promise<void> {
  for (const app of Object.values(apps)) if (app !== appId) await seedApp(home, keyrings, app);
  await home.query(`update apps set http_errors = 'always200' where app_id = $1`, [apps.always200]);
  await home.query('update apps set token_days = 7 where app_id = $1', [apps.week]);
  await home.query(`update apps set user_push = 'none' where app_id = $1`, [apps.pushNone]);
  await home.query(`update apps set user_push = 'any' where app_id = $1`, [apps.pushAny]);
  await home.query('update apps set disabled_at = now() where app_id = $1', [apps.disabled]);
}

interface SeedUser {
  readonly userId: bigint;
  readonly name: string;
  readonly mobile?: string;
  readonly email?: string;
  readonly password: string | null;
}

async function seedUsers({ storage: { home } }: Carillon): Promise<void> {
  const insert = async (appId: string, { userId, name, mobile, email, password }: SeedUser) =>
    home.query(
      'insert into users (app_id, user_id, name, mobile, email, password_hash) values ($1, $2, $3, $4, $5, $6)',
      [appId, userId, name, mobile ?? null, email ?? null, password === null ? null : await hashPassword(password)],
    );
  for (const user of Object.values(users)) await insert(apps.bells, user);
  for (const app of Object.values(apps)) if (app !== apps.bells) await insert(app, una);
  await home.query('update users set disabled_at = now() where user_id = $1', [users.disabled.userId]);
}

async function seedGroups({ storage: { home } }: Carillon): Promise<void> {
  for (const [name, groupId] of Object.entries(groups)) await insertGroup(home, apps.bells, groupId, name);
  await insertMembers(home, apps.bells, groups.choir, [users.ann.userId]);
  await insertMembers(home, apps.bells, groups.band, [users.bob.userId]);
}

async function seedAdmins({ storage: { home } }: Carillon): Promise<void> {
  const insert = (token: string, scopes: readonly string[], appId: string = apps.bells) =>
    insertAdminToken(home, token, { appId, name: 'cast', scopes });
  await insert(tokens.admin, ['*']);
  await insert(tokens.push, ['push']);
  await insert(tokens.secrets, ['secrets']);
  await insert(tokens.manage, ['manage']);
  await insert(tokens.scopeless, []);
  await insert(tokens.adminExpired, ['*']);
  await insert(tokens.adminRevoked, ['*']);
  await insert(tokens.adminLasting, ['*']);
  await insert(tokens.otherAdmin, ['*'], apps.other);
  await insert(tokens.always200Admin, ['*'], apps.always200);
  const change = (set: string, token: string) =>
    home.query(`update admin_tokens set ${set} where token_hash = $1`, [hashToken(token)]);
  await change(`expires_at = now() - interval '1 s'`, tokens.adminExpired);
  await change(`expires_at = now() + interval '1 h'`, tokens.adminLasting);
  await change('revoked_at = now()', tokens.adminRevoked);
}

async function seedUserTokens({ storage }: Carillon): Promise<void> {
  const register = async ({ appId, guid, pushToken }: (typeof devices)['ann'], userId: bigint) => {
    const bucket = bucketOfGuid(appId, guid);
    await addDeviceBucket(storage.home, { appId, userId }, bucket);
    const login = { appId, bucket, deviceGuid: guid, userId, newPushToken: pushToken, registeredAt: new Date() };
    return registerDevice(storage.shards.dbFor(bucket), login);
  };
  const insert = async (name: keyof typeof tokens, userId: bigint, appId: string = apps.bells) => {
    const device = name in devices ? await register(devices[name as 'ann'], userId) : undefined;
    const { deviceId = null, generation = null } = device ?? {};
    await insertUserToken(storage.home, tokens[name], { appId, userId, deviceId, generation, validDays: 1 });
  };
  await insert('ann', users.ann.userId);
  await insert('bob', users.bob.userId);
  await insert('annWithoutDevice', users.ann.userId);
  await insert('annExpired', users.ann.userId);
  await insert('last', users.last.userId);
  await insert('disabled', users.disabled.userId);
  await insert('otherUser', una.userId, apps.other);
  await insert('always200User', una.userId, apps.always200);
  await insert('pushNoneUser', una.userId, apps.pushNone);
  await insert('pushAnyUser', una.userId, apps.pushAny);
  for (const name of ['binder1', 'binder2', 'binder3', 'binder4', 'binder5'] as const)
    await insert(name, users.bob.userId);
  await register(devices.annsTablet as never, users.ann.userId);
  await storage.home.query(`update user_tokens set expires_at = now() - interval '1 s' where token_hash = $1`, [
    hashToken(tokens.annExpired),
  ]);
}

/** Each value contains the name of its vendor, so that a row can check which credentials were returned. */
async function seedCertificates({ storage: { home }, keyrings }: Carillon): Promise<void> {
  const save = (channel: VendorName, environment: Environment, name: string) => {
    const place = { appId: apps.bells, channel, environment } as const;
    return saveCertificate(home, {
      ...place,
      name,
      vendorAppId: `${channel} app id`,
      appKey: `${channel} app key`,
      appSecret: seal(keyrings.credentials, certificateContext(place, 'app_secret'), `${channel} secret`),
      certificate: seal(keyrings.credentials, certificateContext(place, 'certificate'), `${channel} certificate`),
      expiresAt: null,
      perSecond: null,
    });
  };
  for (const channel of certificates) await save(channel, 1, `${channel} production`);
  await save('huawei', 0, 'huawei development');
}
