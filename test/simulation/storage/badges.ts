import { applyBadge } from '#src/domain/message.ts';
import type * as real from '#src/storage/devices/badges.ts';
import { simulatedDatabaseOf, write } from './database.ts';
import { shardRows } from './rows.ts';

export const changeBadges: typeof real.changeBadges = async (db, changes) => {
  if (changes.length === 0) return;
  await write(db, 'changeBadges', () => {
    const { badges } = shardRows(db);
    for (const { deviceId, generation, badge } of changes) {
      const entry = badges.get(deviceId) ?? { generation, badge: 0 };
      if (generation < entry.generation) continue;
      const current = generation === entry.generation ? entry.badge : 0;
      simulatedDatabaseOf(db).put(badges, deviceId, { generation, badge: applyBadge(current, badge) });
    }
  });
};
