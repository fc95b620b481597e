import { adminUserToken } from '#src/contract/admin/user/token.ts';
import { hasScope } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Route } from '../../../context.ts';
import { logInWithoutPassword } from '../../../logins/login.ts';

export const adminUserTokenRoute: Route<typeof adminUserToken> = {
  operation: adminUserToken,
  handle: (context, { app, token, body }) => {
    if (token.kind === 'user') throw new Problem('no-permission');
    // An operator who can call this operation can also send.
    const parent = token.kind === 'admin' && { tokenId: token.tokenId, mayPush: hasScope(token.scopes, 'push') };
    return logInWithoutPassword(context, app, body.user_id, {
      deviceGuid: body.device_guid,
      ...(parent && { parent }),
    });
  },
};
