import type { IConnectPacket } from 'mqtt-packet';
import { bucketOfDevice, bucketOfPushToken } from '#src/domain/device.ts';
import { Batch } from '#src/foundation/batch.ts';
import { LazyMap } from '#src/foundation/lazy-map.ts';
import { hasChecksum } from '#src/foundation/random-text.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import {
  type ConnectingDevice,
  type DeviceIdentity,
  findConnectingDevices,
  type IdentityMismatch,
} from '#src/storage/devices/devices.ts';
import { type ConnectingToken, findUserTokens } from '#src/storage/users/tokens.ts';
import type { ConnectedDevice } from './sessions/session.ts';

/** Maximum number of CONNECTs per query. Many devices can reconnect at the same time. */
const CONNECTS_PER_READ_MAX = 200;
/** Above the default of `CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX`, so that this queue does not fill first. */
const CONNECTS_WAITING_MAX = 10_000;
/**
 * Maximum number of takeovers of a device per minute. Without a limit, two connections of one device could replace each
 * other endlessly.
 */
const TAKEOVERS_PER_MINUTE_MAX = 6;

/**
 * Why credentials are rejected. `client-id` and `user-name`: not the `device_guid` or the push token of the device.
 * `token`: unknown or revoked. `disabled`: the user or the app. `no-device`: the login had no `device_guid`. `login`: the
 * login on the device has ended.
 */
export type BadCredentials = 'client-id' | 'user-name' | 'token' | 'expired' | 'disabled' | 'no-device' | 'login';

const REASONS: Readonly<Record<IdentityMismatch, BadCredentials>> = {
  'device-guid': 'client-id',
  'push-token': 'user-name',
  login: 'login',
};

/** The result of a CONNECT. Only a client with a known token receives the reason for a rejection. */
export type AuthenticationResult =
  | { readonly kind: 'device'; readonly device: ConnectedDevice }
  /** `token`: the owner of the access token, if it exists. */
  | {
      readonly kind: 'bad-credentials';
      readonly why: BadCredentials;
      readonly token?: Pick<ConnectingToken, 'appId' | 'userId'>;
    }
  | { readonly kind: 'too-many-takeovers' };

/** The credentials of a CONNECT. */
export interface Credentials {
  readonly bucket: number;
  readonly pushToken: string;
  readonly token: string;
  readonly deviceGuid: string;
}

/** Returns the credentials of a CONNECT, or the reason if no database needs to be asked to reject them. */
export function readCredentials(connect: IConnectPacket): Credentials | BadCredentials {
  const pushToken = connect.username ?? '';
  const bucket = bucketOfPushToken(pushToken);
  const token = connect.password?.toString() ?? '';
  const deviceGuid = connect.clientId;
  if (!hasChecksum(token)) return 'token';
  if (bucket === undefined) return 'user-name';
  // PostgreSQL rejects U+0000, and the whole batch that shares the query would fail [MQTT-1.5.4-2].
  if (deviceGuid.includes('\0')) return 'client-id';
  if (pushToken.includes('\0')) return 'user-name';
  return { bucket, pushToken, token, deviceGuid };
}

/**
 * Authenticates CONNECTs: client id = device_guid, user name = push token, password = access token. The push token is
 * only an address; the access token is the credential, and it is valid only for the device it was issued for. CONNECTs
 * that are received together share one query.
 */
export class Authenticator {
  readonly #storage: Storage;
  readonly #tokens: Batch<string, ConnectingToken | undefined>;
  readonly #devices: LazyMap<ShardDb, Batch<DeviceIdentity, ConnectingDevice | IdentityMismatch>>;

  constructor(storage: Storage) {
    const batchLimits = { sizeMax: CONNECTS_PER_READ_MAX, queueMax: CONNECTS_WAITING_MAX };
    this.#storage = storage;
    this.#tokens = new Batch({ ...batchLimits, run: (tokens) => findUserTokens(storage.home, tokens) });
    this.#devices = new LazyMap(
      (db) => new Batch({ ...batchLimits, run: (claims) => findConnectingDevices(db, claims) }),
    );
  }

  async authenticate(credentials: Credentials): Promise<AuthenticationResult> {
    const { bucket, pushToken, deviceGuid } = credentials;
    const token = await this.#tokens.add(credentials.token);
    if (!token) return { kind: 'bad-credentials', why: 'token' };
    const reject = (why: BadCredentials) => ({ kind: 'bad-credentials', why, token }) as const;
    if (token.disabled) return reject('disabled');
    if (token.expired) return reject('expired');
    if (token.deviceId === null || token.generation === null) return reject('no-device');
    const { appId, userId, deviceId, generation } = token;
    if (bucketOfDevice(deviceId) !== bucket) return reject('user-name');

    const claim = { appId, bucket, deviceId, generation, pushToken, deviceGuid };
    const connectingDevice = await this.#devices.get(this.#storage.shards.dbFor(bucket)).add(claim);
    if (typeof connectingDevice === 'string') return reject(REASONS[connectingDevice]);
    const { since, takeovers, isTakeover } = connectingDevice;
    if (takeovers >= TAKEOVERS_PER_MINUTE_MAX) return { kind: 'too-many-takeovers' };
    const device = {
      ...{ appId, bucket, deviceId, generation, userId, since, isTakeover },
      tokenHash: token.tokenHash.toString('hex'),
      tokenParent: token.parent,
      tokenCreatedAt: token.createdAt.getTime(),
      tokenExpiresAtMs: performance.now() + token.expiresAt.getTime() - token.readAt.getTime(),
      connectedAt: token.readAt.getTime(),
    };
    return { kind: 'device', device };
  }
}
