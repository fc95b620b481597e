import { moveBadge } from '#src/domain/message.ts';
import type * as real from '#src/storage/devices/badges.ts';
import { storageOf, write } from './database.ts';
import { shardRows } from './rows.ts';

const RECENT_MAX = 16;

export const badgeKey: typeof real.badgeKey = ({ taskId, deviceId }) => `${taskId} ${deviceId}`;

export const moveBadges: typeof real.moveBadges = (db, moves) =>
  write(db, 'moveBadges', () => {
    const { badges } = shardRows(db);
    const values = new Map<string, number>();
    for (const { taskId, deviceId, badge } of moves) {
      const row = badges.get(deviceId) ?? { badge: 0, recent: [] };
      const known = row.recent.find(([task]) => task === taskId);
      const value = known ? known[1] : moveBadge(row.badge, badge);
      values.set(badgeKey({ taskId, deviceId }), value);
      if (known) continue;
      const recent = [...row.recent, [taskId, value] as const].slice(-RECENT_MAX);
      storageOf(db).put(badges, deviceId, { badge: value, recent });
    }
    return values;
  });
