import type { Gate } from '#src/domain/vendor-account/breaker.ts';
import type * as real from '#src/storage/accounts/breakers.ts';
import { read, storageOf, write } from './database.ts';
import { homeRows } from './rows.ts';

const keyOf = ({ appId, channel, environment }: Pick<Gate, 'appId' | 'channel' | 'environment'>): string =>
  `${appId} ${channel} ${environment}`;

export const findGates: typeof real.findGates = (db, appId) =>
  read(db, 'findGates', () => [...homeRows(db).gates.values()].filter((gate) => gate.appId === appId));

export const closeGate: typeof real.closeGate = (db, gate, probeSeconds) =>
  write(db, 'closeGate', () => {
    const storage = storageOf(db);
    const before = homeRows(db).gates.get(keyOf(gate));
    if (before && before.version > gate.version) return false;
    const fresh = before?.version !== gate.version;
    const closedAt = fresh ? new Date(storage.now) : before.closedAt;
    const probeAt = new Date(Math.max(before?.probeAt.getTime() ?? 0, storage.now + probeSeconds * 1_000));
    storage.put(homeRows(db).gates, keyOf(gate), { ...gate, closedAt, probeAt });
    return fresh;
  });

export const takeProbe: typeof real.takeProbe = (db, key, version, probeSeconds) =>
  write(db, 'takeProbe', () => {
    const storage = storageOf(db);
    const gate = homeRows(db).gates.get(keyOf(key));
    if (!gate || gate.version !== version || gate.probeAt.getTime() > storage.now) return false;
    const probeAt = new Date(storage.now + probeSeconds * 1_000);
    storage.put(homeRows(db).gates, keyOf(key), { ...gate, probeAt });
    return true;
  });

export const openGate: typeof real.openGate = (db, key, version, proof) =>
  write(db, 'openGate', () => {
    const gate = homeRows(db).gates.get(keyOf(key));
    if (!gate || gate.version > version || (proof === 'reached' && gate.why !== 'unreachable')) return false;
    storageOf(db).remove(homeRows(db).gates, keyOf(key));
    return true;
  });
