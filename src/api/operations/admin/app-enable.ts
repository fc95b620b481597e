import { adminAppEnable } from '#src/contract/admin/app-enable.ts';
import { Problem } from '#src/domain/problem.ts';
import { enableApp } from '#src/truth/apps.ts';
import type { Route } from '../../context.ts';

export const adminAppEnableRoute: Route<typeof adminAppEnable> = {
  operation: adminAppEnable,
  handle: async ({ truth }, { body }) => {
    if (!(await enableApp(truth.home, body.target_app_id))) throw new Problem('unknown-app');
    return {};
  },
};
