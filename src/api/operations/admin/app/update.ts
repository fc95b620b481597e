import { adminAppUpdate } from '#src/contract/admin/app/update.ts';
import { Problem } from '#src/domain/problem.ts';
import { findApp, updateApp } from '#src/storage/accounts/apps.ts';
import type { Route } from '../../../context.ts';
import { readAppSettings, toAppRecord } from '../../../records/app-record.ts';

export const adminAppUpdateRoute: Route<typeof adminAppUpdate> = {
  operation: adminAppUpdate,
  handle: async ({ storage, clearAuthCache }, { app, body }) => {
    await updateApp(storage.home, app.appId, readAppSettings(body));
    clearAuthCache();
    const updated = await findApp(storage.home, app.appId);
    if (!updated) throw new Problem('unknown-app');
    return toAppRecord(updated);
  },
};
