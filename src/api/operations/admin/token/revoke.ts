import { adminTokenRevoke } from '#src/contract/admin/token/revoke.ts';
import { hasScope, type Scope } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { findAdminTokenScopes, revokeAdminToken } from '#src/storage/users/tokens.ts';
import type { Route } from '../../../context.ts';

export const adminTokenRevokeRoute: Route<typeof adminTokenRevoke> = {
  operation: adminTokenRevoke,
  handle: async ({ storage, announceRevocation }, { app, token: revoker, body }) => {
    const { token_id: tokenId, keep_user_tokens: keepsUserTokens = false } = body;
    const tokenScopes = await findAdminTokenScopes(storage.home, app.appId, tokenId);
    if (!tokenScopes) throw new Problem('bad-parameter', 'This app has no admin token with this token_id.');
    if (revoker.kind === 'user') throw new Problem('no-permission');
    const missingScope = tokenScopes.find((scope) => !hasScope(revoker.scopes, scope as Scope));
    if (missingScope !== undefined)
      throw new Problem(
        'no-permission',
        `This token does not have the scope \`${missingScope}\`, so it cannot revoke a token that has it.`,
      );
    await revokeAdminToken(storage.home, app.appId, tokenId, keepsUserTokens);
    announceRevocation();
    return {};
  },
};
