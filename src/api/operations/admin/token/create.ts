import { adminTokenCreate } from '#src/contract/admin/token/create.ts';
import { hasScope } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Route } from '../../../context.ts';
import { createAdminToken } from '../../../create-app.ts';
import { requireGroup } from '../../../http/require-group.ts';

export const adminTokenCreateRoute: Route<typeof adminTokenCreate> = {
  operation: adminTokenCreate,
  handle: async ({ storage }, { app, token: creator, body, setHeader }) => {
    const { name, days, group_id: groupId } = body;
    const scopes = [...new Set(body.scopes)];
    if (creator.kind === 'user') throw new Problem('no-permission');
    const missingScope = scopes.find((scope) => !hasScope(creator.scopes, scope));
    if (missingScope !== undefined)
      throw new Problem(
        'no-permission',
        `This token does not have the scope \`${missingScope}\`, so it cannot grant it.`,
      );
    if (groupId !== undefined) await requireGroup(storage.home, app.appId, groupId);
    const newToken = {
      appId: app.appId,
      name,
      scopes,
      groupId,
      ...(creator.kind === 'admin' && { parent: creator.tokenId, until: creator.expiresAt }),
      ...(days !== undefined && { validDays: days }),
    };
    const { token, tokenId, expiresAt } = await createAdminToken(storage.home, newToken);
    setHeader('cache-control', 'no-store');
    return { token_id: tokenId, token, expire: expiresAt && BigInt(expiresAt.getTime()) };
  },
};
