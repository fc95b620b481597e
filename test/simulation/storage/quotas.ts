import type * as quotas from '#src/storage/accounts/quotas.ts';
import type * as rates from '#src/storage/accounts/rates.ts';
import { read, storageOf, write } from './database.ts';
import { homeRows } from './rows.ts';

const keyOf = ({ appId, channel, environment }: { appId: string; channel: string; environment: number }): string =>
  `${appId} ${channel} ${environment}`;

export const findSpentQuotas: typeof quotas.findSpentQuotas = (db, appId) =>
  read(db, 'findSpentQuotas', () => [...homeRows(db).quotas.values()].filter((quota) => quota.appId === appId));

export const spendQuota: typeof quotas.spendQuota = (db, key, messageClass, until) =>
  write(db, 'spendQuota', () => {
    const storage = storageOf(db);
    const before = homeRows(db).quotas.get(keyOf(key));
    const { appId, channel, environment } = key;
    const spentUntil = before && before.spentUntil > until ? before.spentUntil : until;
    const row = { appId, channel, environment, class: messageClass, spentUntil, spentAt: new Date(storage.now) };
    storage.put(homeRows(db).quotas, keyOf(key), row);
    return !before;
  });

/** As many as are wanted, or fewer: the places that are left must be called later all the same. */
export const takePermits: typeof rates.takePermits = (db, _key, { wanted, limitPerSecond }) =>
  write(db, 'takePermits', () => {
    const taken = storageOf(db).now % 3 === 0 ? 1 : wanted;
    return { granted: taken, perSecond: limitPerSecond };
  });

export const slowDown: typeof rates.slowDown = (db) => write(db, 'slowDown', () => true);
