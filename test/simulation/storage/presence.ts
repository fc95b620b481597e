import type { ShardDb } from '#src/storage/database/database.ts';
import type * as real from '#src/storage/devices/presence.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { type DeviceRow, shardRows } from './rows.ts';

const HEARTBEAT_TIMEOUT_MS = 6_000;
export const LATE_SECONDS: typeof real.LATE_SECONDS = 4;

/** Returns the gateway of a device's live session, like `LIVE_SESSION_JOIN`, or null. */
export function liveGateway(db: ShardDb, device: DeviceRow): string | null {
  const { sessions, gateways } = shardRows(db);
  const session = sessions.get(device.deviceId);
  if (!session?.online || session.generation !== device.generation) return null;
  const gateway = gateways.get(session.gateway);
  const heartbeatAlive =
    gateway?.epoch === session.epoch && gateway.heartbeatAt > simulatedDatabaseOf(db).now - HEARTBEAT_TIMEOUT_MS;
  return heartbeatAlive ? session.gateway : null;
}

export const renewHeartbeat: typeof real.renewHeartbeat = async (db, gateway, epoch) => {
  const database = simulatedDatabaseOf(db);
  const { gateways } = shardRows(db);
  await database.scheduler.step('heartbeat');
  if (database.unavailableUntil > database.now) throw new Error('The heartbeat got no response.');
  const row = gateways.get(gateway);
  if (row?.epoch !== epoch) return undefined;
  gateways.set(gateway, { epoch, heartbeatAt: database.now });
  return { now: new Date(database.now), wasLate: row.heartbeatAt <= database.now - LATE_SECONDS * 1_000 };
};

export const startEpoch: typeof real.startEpoch = (db, gateway, epoch) =>
  write(db, 'startEpoch', () => {
    const database = simulatedDatabaseOf(db);
    database.put(shardRows(db).gateways, gateway, { epoch, heartbeatAt: database.now });
    return new Date(database.now);
  });

export const announce: typeof real.announce = (db, gateway, epoch, announcements) =>
  write(db, 'announce', () => {
    const { devices, sessions } = shardRows(db);
    const written: real.WrittenAnnouncement[] = [];
    for (const { deviceId, generation, online, since } of announcements) {
      if (devices.get(deviceId)?.generation !== generation) continue;
      const before = sessions.get(deviceId);
      if (before && before.gateway !== gateway && isLater(before, { generation, since })) continue;
      simulatedDatabaseOf(db).put(sessions, deviceId, { gateway, epoch, generation, online, since });
      written.push({ deviceId, replacedGateway: before?.online && before.gateway !== gateway ? before.gateway : null });
    }
    return written;
  });

/** Returns whether `a` is later than `b`. The SQL statement uses a row comparison. */
const isLater = (a: Age, b: Age): boolean =>
  a.generation > b.generation || (a.generation === b.generation && a.since > b.since);

interface Age {
  readonly generation: number;
  readonly since: string;
}

export const compareSessions: typeof real.compareSessions = (db, gateway, epoch, compared) =>
  read(db, 'compareSessions', () => {
    const { devices, sessions, inbox } = shardRows(db);
    const { now } = simulatedDatabaseOf(db);
    return compared.map(({ deviceId, generation, since }) => {
      const row = sessions.get(deviceId);
      const announced = row?.gateway === gateway && row.epoch === epoch && row.online;
      const same = row?.generation === generation && row.since === since;
      const ended = devices.get(deviceId)?.generation !== generation;
      const replaced = row !== undefined && row.gateway !== gateway && isLater(row, { generation, since });
      const hasInboxMessages = [...inbox.values()].some(
        (message) =>
          message.deviceId === deviceId && message.generation === generation && message.expiresAt.getTime() > now,
      );
      return {
        deviceId,
        state: ended ? 'ended' : replaced ? 'replaced' : announced && same ? 'announced' : 'unannounced',
        hasInboxMessages,
      };
    });
  });

export const deleteGateway: typeof real.deleteGateway = async () => undefined;

export const findSessions: typeof real.findSessions = (db, devices) =>
  read(db, 'findSessions', () =>
    devices.flatMap(({ deviceId }) => {
      const device = shardRows(db).devices.get(deviceId);
      const gateway = device ? liveGateway(db, device) : null;
      return device && gateway !== null ? [{ deviceId, generation: device.generation, gateway }] : [];
    }),
  );
