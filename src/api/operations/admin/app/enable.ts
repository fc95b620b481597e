import { adminAppEnable } from '#src/contract/admin/app/enable.ts';
import { Problem } from '#src/domain/problem.ts';
import { openTaskRange } from '#src/domain/task.ts';
import { enableApp } from '#src/storage/accounts/apps.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { cancelOpenTasks } from '#src/storage/ledger/cancel.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import type { Route } from '../../../context.ts';

export const adminAppEnableRoute: Route<typeof adminAppEnable> = {
  operation: adminAppEnable,
  handle: async ({ storage }, { body }) => {
    await cancelRemainingTasks(storage, body.target_app_id);
    if (!(await enableApp(storage.home, body.target_app_id))) throw new Problem('unknown-app');
    return {};
  },
};

const TASKS_PER_ROUND = 1_000;
/** 100 rounds cover 100,000 tasks that workers have not cancelled since the app was disabled. */
const ROUNDS_MAX = 100;

/**
 * Cancels the tasks that workers have not cancelled yet. This must happen before the app is enabled, because only tasks
 * of disabled apps are cancelled.
 */
async function cancelRemainingTasks({ home }: Storage, appId: string): Promise<void> {
  const range = openTaskRange(await readClock(home));
  for (let round = 0; round < ROUNDS_MAX; round++)
    if ((await cancelOpenTasks(home, [appId], TASKS_PER_ROUND, range)) === 0) return;
}
