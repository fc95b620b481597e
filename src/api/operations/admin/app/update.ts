import { adminAppUpdate } from '#src/contract/admin/app/update.ts';
import { Problem } from '#src/domain/problem.ts';
import { findApp, updateApp } from '#src/storage/accounts/apps.ts';
import type { Route } from '../../../context.ts';
import { readAppSettings, toAppRecord } from '../../../records/app-record.ts';

export const adminAppUpdateRoute: Route<typeof adminAppUpdate> = {
  operation: adminAppUpdate,
  handle: async ({ truth, forgetKnown }, { app, body }) => {
    await updateApp(truth.home, app.appId, readAppSettings(body));
    forgetKnown();
    const updated = await findApp(truth.home, app.appId);
    if (!updated) throw new Problem('unknown-app');
    return toAppRecord(updated);
  },
};
