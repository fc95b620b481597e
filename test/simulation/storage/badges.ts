import { applyBadge } from '#src/domain/message.ts';
import type * as real from '#src/storage/devices/badges.ts';
import { simulatedDatabaseOf, write } from './database.ts';
import { shardRows } from './rows.ts';

const RECENT_MAX = 16;

export const badgeKey: typeof real.badgeKey = ({ taskId, deviceId }) => `${taskId} ${deviceId}`;

export const moveBadges: typeof real.moveBadges = (db, moves) =>
  write(db, 'moveBadges', () => {
    const { badges } = shardRows(db);
    const values = new Map<string, number>();
    for (const { taskId, deviceId, badge } of moves) {
      const row = badges.get(deviceId) ?? { badge: 0, recent: [] };
      const recorded = row.recent.find(([task]) => task === taskId);
      const value = recorded ? recorded[1] : applyBadge(row.badge, badge);
      values.set(badgeKey({ taskId, deviceId }), value);
      if (recorded) continue;
      const recent = [...row.recent, [taskId, value] as const].slice(-RECENT_MAX);
      simulatedDatabaseOf(db).put(badges, deviceId, { badge: value, recent });
    }
    return values;
  });
