import { moveBadge } from '#src/domain/message.ts';
import type * as real from '#src/truth/badges.ts';
import { storageOf, write } from './database.ts';
import { shardRows } from './rows.ts';

const RECENT_MAX = 16;

export const moveBadges: typeof real.moveBadges = (db, taskId, badge, keys) =>
  write(db, 'moveBadges', () => {
    const { badges } = shardRows(db);
    const values = new Map<bigint, number>();
    for (const { deviceId } of keys) {
      const row = badges.get(deviceId) ?? { badge: 0, recent: [] };
      const known = row.recent.find(([task]) => task === taskId);
      const value = known ? known[1] : moveBadge(row.badge, badge);
      values.set(deviceId, value);
      if (known) continue;
      const recent = [...row.recent, [taskId, value] as const].slice(-RECENT_MAX);
      storageOf(db).put(badges, deviceId, { badge: value, recent });
    }
    return values;
  });
