import { BUCKETS } from '#src/domain/bucket.ts';
import { bucketOfDevice, pushTokenOf } from '#src/domain/device.ts';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { withChecksum } from '#src/foundation/random-text.ts';
import { loadSettings } from '#src/foundation/settings.ts';
import { Authenticator } from '#src/gateway/authenticate.ts';
import { ConnectLimits } from '#src/gateway/connect-limits.ts';
import type { ConnectionContext } from '#src/gateway/connection.ts';
import type { DeviceSocket } from '#src/gateway/listeners/device-socket.ts';
import { InboxReader } from '#src/gateway/sessions/inbox.ts';
import { Presence } from '#src/gateway/sessions/presence.ts';
import { SessionCeilings } from '#src/gateway/sessions/session-ceilings.ts';
import { Sessions } from '#src/gateway/sessions/sessions.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import type { HomeDb, ShardDb, Shards, Storage } from '#src/storage/database/database.ts';
import { ceilingDefaultsOf, ceilingSettings } from '#src/storage/settings.ts';
import { hashToken } from '#src/storage/users/tokens.ts';
import type { Credentials, Version } from '../packet-bytes.ts';
import { goodConnects } from './mutate.ts';

/** A logged-in device. */
export interface FuzzDevice extends Credentials {
  readonly deviceId: bigint;
  /** Valid CONNECTs of the device, by version. */
  readonly connects: Readonly<Record<Version, readonly Buffer[]>>;
}

export interface FuzzGateway extends AsyncDisposable {
  readonly context: ConnectionContext;
  readonly devices: readonly FuzzDevice[];
  /** Connections that have not opened a session yet. */
  readonly pendingConnections: Set<DeviceSocket>;
  /** Number of log entries, by event. */
  readonly logCounts: Map<string, number>;
}

/**
 * Opens the real gateway code with an in-memory database that contains some devices. A real database is too slow for a
 * million connections.
 */
export async function openFuzzGateway(devicesMax: number): Promise<FuzzGateway> {
  const devices = Array.from({ length: devicesMax }, (_, i) => deviceOf(i));
  const storage = fakeStorageOf(devices);
  const logCounts = new Map<string, number>();
  const log = countingLog(logCounts);
  const sessions = new Sessions();
  const receipts = new Receipts(storage.shards, log);
  const inbox = new InboxReader({ storage, sessions, receipts, log });
  const presence = new Presence({
    gateway: 'fuzzed',
    shards: storage.shards,
    heartbeatShards: storage.shards,
    sessions,
    clock: new DatabaseClock(),
    readInboxes: () => undefined,
    onDevicesTakenOver: () => undefined,
    onAnnouncementsRejected: () => undefined,
    onLateHeartbeat: () => undefined,
    log,
  });
  await presence.start();
  const pendingConnections = Object.assign(new Set<DeviceSocket>(), { addressOf: () => undefined });
  return {
    context: {
      ...{ storage, sessions, receipts, inbox, presence, log },
      authenticator: new Authenticator(storage),
      isDraining: () => false,
      sessionCeilings: new SessionCeilings({ db: storage.home, gateway: 'fuzzed', defaults: DEFAULT_CEILINGS, log }),
      pendingConnections,
      connectLimits: new ConnectLimits({ perSecond: Number.MAX_SAFE_INTEGER, unknownTokensPerMinute: 0 }),
      keepAliveSeconds: { min: 30, max: 600 },
    },
    devices,
    pendingConnections,
    logCounts,
    [Symbol.asyncDispose]: async () => {
      await presence.stop();
      await receipts.stop();
    },
  };
}

const DEFAULT_CEILINGS = ceilingDefaultsOf(loadSettings({ ceilings: ceilingSettings }, {}).ceilings);

function deviceOf(i: number): FuzzDevice {
  const deviceId = BigInt(i + 1);
  const credentials = {
    clientId: `phone-${i}`,
    userName: pushTokenOf(bucketOfDevice(deviceId), 'abcdefghijklmnopqrstuvwx'),
    password: withChecksum(`cu_fuzz${i}`),
  };
  return { deviceId, ...credentials, connects: { 4: goodConnects(4, credentials), 5: goodConnects(5, credentials) } };
}

/** Returns a storage that responds to a connection's queries from memory. All other queries return no rows. */
function fakeStorageOf(devices: readonly FuzzDevice[]): Storage {
  const now = new Date();
  const tokens = new Map(devices.map((device) => [hashToken(device.password).toString('hex'), device]));
  const guids = new Map(devices.map((device) => [device.clientId, device]));
  const runQuery = async (statement: string, values: readonly unknown[] = []): Promise<object[]> => {
    if (statement.includes('from user_tokens')) {
      const [hashes] = values as [Buffer[]];
      const expiresAt = new Date(now.getTime() + 86_400_000);
      const times = { createdAt: now, readAt: now, expiresAt };
      const token = { kind: 'user', appId: 'bells', userId: 1n, generation: 1, parent: null, ...times };
      return hashes.flatMap((tokenHash) => {
        const device = tokens.get(tokenHash.toString('hex'));
        return device ? [{ ...token, tokenHash, deviceId: device.deviceId, expired: false }] : [];
      });
    }
    if (statement.includes('as since')) {
      const [, , deviceIds, claimed, pushTokens] = values as [string[], number[], bigint[], string[], string[]];
      return claimed.flatMap((guid, i) => {
        const device = guids.get(guid);
        const isOwner = device?.deviceId === deviceIds[i] && device?.userName === pushTokens[i];
        return isOwner ? [{ position: i + 1, since: now.toISOString(), takeovers: 0 }] : [];
      });
    }
    if (statement.includes('insert into badges')) return [{ device_id: values[2] }];
    return statement.includes('returning now()') ? [{ now }] : [];
  };
  const database = { query: runQuery, queryPrepared: runQuery };
  const db = database as unknown as ShardDb;
  const shards: Shards = {
    all: [db],
    dbFor: () => db,
    nameOf: () => 'home',
    rangesOf: () => [{ firstBucket: 0, lastBucket: BUCKETS - 1 }],
  };
  return { home: database as unknown as HomeDb, shards, close: async () => undefined } as unknown as Storage;
}

function countingLog(logged: Map<string, number>): Log {
  const count = (event: string) => void logged.set(event, (logged.get(event) ?? 0) + 1);
  const log: Log = { debug: count, info: count, warn: count, error: count, security: () => undefined, with: () => log };
  return log;
}
