import type { ShardDb } from '#src/storage/database/database.ts';
import type * as real from '#src/storage/devices/devices.ts';
import { read } from './database.ts';
import { liveGateway } from './presence.ts';
import { type DeviceRow, shardRows } from './rows.ts';

export function devicesWhere(db: ShardDb, wanted: (device: DeviceRow) => boolean): real.Device[] {
  const matches: real.Device[] = [];
  for (const device of shardRows(db).devices.values()) {
    if (!wanted(device)) continue;
    const { registeredAt, ...rest } = device;
    const gateway = liveGateway(db, device);
    matches.push({ ...rest, alias: null, registeredAt: new Date(registeredAt), nativeTarget: true, gateway });
  }
  return matches;
}

export const findDevices: typeof real.findDevices = (db, keys) =>
  read(db, 'findDevices', () => {
    const wanted = new Set(keys.map(({ deviceId }) => deviceId));
    return devicesWhere(db, ({ deviceId }) => wanted.has(deviceId));
  });

export const findDevicesOfUsers: typeof real.findDevicesOfUsers = (db, users) =>
  read(db, 'findDevicesOfUsers', () => {
    const wanted = new Set(users.map(({ appId, userId }) => `${appId} ${userId}`));
    return devicesWhere(db, ({ appId, userId }) => wanted.has(`${appId} ${userId}`));
  });

export const findDevicesByPushToken: typeof real.findDevicesByPushToken = (db, tokens) =>
  read(db, 'findDevicesByPushToken', () => {
    const wanted = new Set(tokens.map(({ appId, pushToken }) => `${appId} ${pushToken}`));
    return devicesWhere(db, ({ appId, pushToken, userId }) => userId !== null && wanted.has(`${appId} ${pushToken}`));
  });
