import type * as quotas from '#src/storage/accounts/quotas.ts';
import type * as rates from '#src/storage/accounts/rates.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { homeRows } from './rows.ts';

const keyOf = ({ appId, channel, environment }: { appId: string; channel: string; environment: number }): string =>
  `${appId} ${channel} ${environment}`;

export const findExhaustedQuotas: typeof quotas.findExhaustedQuotas = (db, appId) =>
  read(db, 'findExhaustedQuotas', () => [...homeRows(db).quotas.values()].filter((quota) => quota.appId === appId));

export const markQuotaExhausted: typeof quotas.markQuotaExhausted = (db, key, messageClass, until) =>
  write(db, 'markQuotaExhausted', () => {
    const database = simulatedDatabaseOf(db);
    const before = homeRows(db).quotas.get(keyOf(key));
    const { appId, channel, environment } = key;
    const exhaustedUntil = before && before.exhaustedUntil > until ? before.exhaustedUntil : until;
    const row = {
      appId,
      channel,
      environment,
      class: messageClass,
      exhaustedUntil,
      exhaustedAt: new Date(database.now),
    };
    database.put(homeRows(db).quotas, keyOf(key), row);
    return !before;
  });

/** Grants either all requested permits or only one. The places without a permit must be sent later. */
export const takePermits: typeof rates.takePermits = (db, _key, { requested, limitPerSecond }) =>
  write(db, 'takePermits', () => {
    const granted = simulatedDatabaseOf(db).now % 3 === 0 ? 1 : requested;
    return { granted, perSecond: limitPerSecond };
  });

export const halveRate: typeof rates.halveRate = (db) => write(db, 'halveRate', () => true);

export const startRamp: typeof rates.startRamp = (db) => write(db, 'startRamp', () => undefined);
