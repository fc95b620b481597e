import { adminAppList } from '#src/contract/admin/app/list.ts';
import { findApps } from '#src/storage/accounts/apps.ts';
import type { Route } from '../../../context.ts';
import { toAppRecord } from '../../../records/app-record.ts';

const APPS_MAX = 1_000;

export const adminAppListRoute: Route<typeof adminAppList> = {
  operation: adminAppList,
  handle: async ({ storage, ceilings }) => {
    const apps = await findApps(storage.home, APPS_MAX);
    const limits = await ceilings.readAll(apps.map(({ appId }) => appId));
    return apps.flatMap((app) => {
      const ofApp = limits.get(app.appId);
      return ofApp ? [toAppRecord(app, ofApp)] : [];
    });
  },
};
