import { adminAppUpdate } from '#src/contract/admin/app/update.ts';
import { hasScope } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import type { Route } from '../../../context.ts';
import { readAppSettings, toAppRecord } from '../../../records/app-record.ts';

export const adminAppUpdateRoute: Route<typeof adminAppUpdate> = {
  operation: adminAppUpdate,
  handle: async ({ storage, clearAuthCache, ceilings }, { app, token, body }) => {
    // Otherwise a token without this scope could let a user send, and log in as this user.
    if (body.user_push !== undefined && body.user_push !== app.userPush)
      if (token.kind === 'user' || !hasScope(token.scopes, 'push'))
        throw new Problem('no-permission', 'Changing user_push requires the scope `push`.');
    const updated = await updateApp(storage.home, app.appId, readAppSettings(body));
    clearAuthCache();
    if (!updated) throw new Problem('unknown-app');
    return toAppRecord(updated, await ceilings.read(app.appId));
  },
};
