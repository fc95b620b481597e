import { adminAppList } from '#src/contract/admin/app-list.ts';
import { findApps } from '#src/truth/apps.ts';
import { toAppRecord } from '../../app-record.ts';
import type { Route } from '../../context.ts';

const APPS_MAX = 1_000;

export const adminAppListRoute: Route<typeof adminAppList> = {
  operation: adminAppList,
  handle: async ({ truth }) => (await findApps(truth.home, APPS_MAX)).map(toAppRecord),
};
