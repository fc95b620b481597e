import { bucketOfGuid } from '#src/domain/bucket.ts';
import { registerDevice, releaseDevice } from '#src/storage/devices/ownership.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import { insertAdminToken, insertUserToken } from '#src/storage/users/tokens.ts';
import { insertUser } from '#src/storage/users/users.ts';
import { seedApp } from '../../../scripts/dev/seed.ts';
import type { Carillon } from '../../support/carillon.ts';
import {
  bindersTablet,
  certificateApp,
  deviceTokens,
  inherited,
  owners,
  settingApp,
  settingFields,
  settingToken,
} from './fixture-devices.ts';
import { apps } from './fixtures.ts';

/** Stores the fixtures of `fixture-devices.ts` in the databases of a service. */
export async function seedDeviceFixtures(carillon: Carillon): Promise<void> {
  await seedOwners(carillon);
  await seedApps(carillon);
}

async function seedOwners({ storage }: Carillon): Promise<void> {
  const appId = apps.bells;
  const register = async (userId: bigint, { guid, pushToken }: { guid: string; pushToken: string }) => {
    const bucket = bucketOfGuid(appId, guid);
    await addDeviceBucket(storage.home, { appId, userId }, bucket);
    const login = { appId, bucket, deviceGuid: guid, userId, newPushToken: pushToken, registeredAt: new Date() };
    return registerDevice(storage.shards.dbFor(bucket), login);
  };
  for (const { userId, guid, pushToken, token } of Object.values(owners)) {
    await insertUser(storage.home, { appId, userId });
    const { deviceId, generation } = await register(userId, { guid, pushToken });
    await insertUserToken(storage.home, token, { appId, userId, deviceId, generation, validDays: 1 });
  }
  await register(owners.binder.userId, bindersTablet);
  const { former, heir } = owners;
  const left = await register(former.userId, former);
  const bucket = bucketOfGuid(appId, former.guid);
  await releaseDevice(storage.shards.dbFor(bucket), {
    ...{ appId, bucket, deviceId: left.deviceId, generation: left.generation },
    ...{ newPushToken: `${former.pushToken}1`, endReason: 'logout' },
  });
  await register(heir.userId, inherited);
  await storage.home.query('delete from users where app_id = $1 and user_id = $2', [appId, owners.ghost.userId]);
}

async function seedApps({ storage: { home }, keyrings }: Carillon): Promise<void> {
  await insertAdminToken(home, deviceTokens.platform, {
    appId: apps.bells,
    name: 'operator',
    scopes: ['*', 'platform'],
  });
  await insertAdminToken(home, deviceTokens.platformOnly, {
    appId: apps.bells,
    name: 'operator',
    scopes: ['platform'],
  });
  const add = async (appId: string, token: string) => {
    await seedApp(home, keyrings, appId);
    await insertAdminToken(home, token, { appId, name: 'operator', scopes: ['*'] });
  };
  await add(certificateApp.app, certificateApp.token);
  for (const field of settingFields) await add(settingApp(field), settingToken(field));
}
