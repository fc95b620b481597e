import { settleAll } from '#src/foundation/settle-all.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import { type BadgeChange, changeBadges } from '#src/storage/devices/badges.ts';
import type { WorkerContext } from '../context.ts';

/**
 * Applies the badge changes of tasks whose slices are stored, in the databases of the devices. An error is only logged:
 * the badges of this database are then behind by one, but every notification is sent.
 */
export async function changeBadgesInAllShards(
  { storage, log }: WorkerContext,
  changes: readonly BadgeChange[],
): Promise<void> {
  await settleAll(
    [...byDatabase(storage.shards, changes, ({ bucket }) => bucket)].map(([db, batch]) =>
      changeBadges(db, batch, { isAsync: true }).catch((error: unknown) =>
        log.warn('badges-not-changed', { devices: batch.length, error }),
      ),
    ),
  );
}
