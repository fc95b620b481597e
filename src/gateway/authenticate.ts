import type { IConnectPacket } from 'mqtt-packet';
import { shardOfDevice, shardOfPushToken } from '#src/domain/device.ts';
import { hasChecksum } from '#src/foundation/random-text.ts';
import type { Truth } from '#src/truth/database.ts';
import { findConnectingDevice } from '#src/truth/devices.ts';
import { findUserToken } from '#src/truth/tokens.ts';
import type { ConnectedDevice } from './session.ts';

/**
 * Client id = device_guid, user name = push_token, password = token. The push token is an address, the access token the
 * credential, and it opens only the device it was issued with. Undefined: refused, and nobody is told why.
 */
export async function authenticateDevice(truth: Truth, connect: IConnectPacket): Promise<ConnectedDevice | undefined> {
  const pushToken = connect.username ?? '';
  const shard = shardOfPushToken(pushToken);
  if (shard === undefined || !connect.password) return undefined;

  const password = connect.password.toString();
  if (!hasChecksum(password)) return undefined;
  const token = await findUserToken(truth.home, password);
  if (!token || token.expired || token.deviceId === null || token.generation === null) return undefined;
  const { appId, userId, deviceId, generation, madeAt: tokenMadeAt, readAt: connectedAt, tokenHash } = token;
  if (shardOfDevice(deviceId) !== shard) return undefined;

  const found = await findConnectingDevice(truth.shards.of(shard), {
    appId,
    shard,
    deviceId,
    generation,
    pushToken,
    deviceGuid: connect.clientId,
  });
  if (!found) return undefined;
  return { appId, shard, deviceId, generation, userId, tokenHash, tokenMadeAt, connectedAt, since: found.since };
}
