import { adminAppCreate } from '#src/contract/admin/app/create.ts';
import { Problem } from '#src/domain/problem.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import type { Route } from '../../../context.ts';
import { makeAdminToken, makeApp } from '../../../create-app.ts';
import { readAppSettings } from '../../../records/app-record.ts';

export const adminAppCreateRoute: Route<typeof adminAppCreate> = {
  operation: adminAppCreate,
  handle: async ({ truth, keyring }, { body, header }) => {
    const { new_app_id: appId, name, ...given } = body;
    const settings = readAppSettings(given);
    // In one commit: an app without a token could be used by nobody.
    const token = await inTransaction(truth.home, async (tx) => {
      if (!(await makeApp(tx, keyring, appId, name)))
        throw new Problem('already-exists', 'There is an app with this ID.');
      await updateApp(tx, appId, settings);
      return (await makeAdminToken(tx, { appId, name: 'first admin', scopes: ['*'] })).token;
    });
    header('cache-control', 'no-store');
    return { app_id: appId, admin_token: token };
  },
};
