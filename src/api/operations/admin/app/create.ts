import { adminAppCreate } from '#src/contract/admin/app/create.ts';
import { Problem } from '#src/domain/problem.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import type { Route } from '../../../context.ts';
import { createAdminToken, createApp } from '../../../create-app.ts';
import { readAppSettings } from '../../../records/app-record.ts';

export const adminAppCreateRoute: Route<typeof adminAppCreate> = {
  operation: adminAppCreate,
  handle: async ({ storage, keyrings }, { body, setHeader }) => {
    const { new_app_id: appId, name, ...settingFields } = body;
    const settings = readAppSettings(settingFields);
    // One transaction, because an app without an admin token could not be used.
    const token = await inTransaction(storage.home, async (tx) => {
      if (!(await createApp(tx, keyrings.apps, appId, name)))
        throw new Problem('already-exists', 'An app with this app ID already exists.');
      await updateApp(tx, appId, settings);
      return (await createAdminToken(tx, { appId, name: 'first admin', scopes: ['*'] })).token;
    });
    setHeader('cache-control', 'no-store');
    return { app_id: appId, admin_token: token };
  },
};
