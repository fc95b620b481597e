import { adminAppDisable } from '#src/contract/admin/app/disable.ts';
import { Problem } from '#src/domain/problem.ts';
import { disableApp } from '#src/storage/accounts/apps.ts';
import type { Route } from '../../../context.ts';

export const adminAppDisableRoute: Route<typeof adminAppDisable> = {
  operation: adminAppDisable,
  handle: async ({ storage, announceRevocation }, { app, body }) => {
    if (body.target_app_id === app.appId)
      throw new Problem(
        'bad-parameter',
        'target_app_id is the app of this token. An app cannot disable itself, because its tokens could not enable it again.',
      );
    if (!(await disableApp(storage.home, body.target_app_id))) throw new Problem('unknown-app');
    announceRevocation();
    return {};
  },
};
