import { adminTokenRevoke } from '#src/contract/admin/token/revoke.ts';
import { Problem } from '#src/domain/problem.ts';
import { revokeAdminToken } from '#src/storage/users/tokens.ts';
import type { Route } from '../../../context.ts';

export const adminTokenRevokeRoute: Route<typeof adminTokenRevoke> = {
  operation: adminTokenRevoke,
  handle: async ({ storage, announceRevocation }, { app, body }) => {
    if (!(await revokeAdminToken(storage.home, app.appId, body.token_id)))
      throw new Problem('bad-parameter', 'This app has no admin token with this token_id.');
    announceRevocation();
    return {};
  },
};
