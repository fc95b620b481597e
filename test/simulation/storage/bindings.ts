import { vendorBits } from '#src/domain/reach.ts';
import type * as real from '#src/storage/devices/bindings.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { shardRows } from './rows.ts';

export const bindingKey = (deviceId: bigint, channel: string): string => `${deviceId}.${channel}`;

/** Returns the token itself, because a simulation does not have to protect it. */
export const hashVendorToken: typeof real.hashVendorToken = (token) => Buffer.from(token);

export const findBindings: typeof real.findBindings = (db, channel, keys) =>
  read(db, `findBindings ${channel}`, () => {
    const { badges, bindings, devices } = shardRows(db);
    return keys.flatMap(({ deviceId }) => {
      const binding = bindings.get(bindingKey(deviceId, channel));
      const device = devices.get(deviceId);
      if (!binding || !device) return [];
      const { generation, userId } = device;
      const { token, environment } = binding;
      const entry = badges.get(deviceId);
      const badge = entry?.generation === generation ? entry.badge : 0;
      return [{ deviceId, generation, userId, token, environment, boundAt: '', badge }];
    });
  });

export const endBindings: typeof real.endBindings = async (db, ended) => {
  if (ended.length === 0) return;
  await write(db, 'endBindings', () => {
    const database = simulatedDatabaseOf(db);
    const { bindings, devices } = shardRows(db);
    for (const { deviceId, channel, tokenHash } of ended) {
      const binding = bindings.get(bindingKey(deviceId, channel));
      const device = devices.get(deviceId);
      if (!device || binding?.token !== tokenHash.toString()) continue;
      database.remove(bindings, bindingKey(deviceId, channel));
      const latestDomestic = device.latestDomestic === channel ? null : device.latestDomestic;
      database.put(devices, deviceId, { ...device, reach: device.reach & ~vendorBits(channel), latestDomestic });
    }
  });
};
