import { adminTokenCreate } from '#src/contract/admin/token/create.ts';
import { holdsScope } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Route } from '../../../context.ts';
import { makeAdminToken } from '../../../create-app.ts';

export const adminTokenCreateRoute: Route<typeof adminTokenCreate> = {
  operation: adminTokenCreate,
  handle: async ({ truth }, { app, token: maker, body, header }) => {
    const { name, days } = body;
    const scopes = [...new Set(body.scopes)];
    if (maker.kind !== 'admin') throw new Problem('no-permission');
    const beyond = scopes.find((scope) => !holdsScope(maker.scopes, scope));
    if (beyond !== undefined)
      throw new Problem('no-permission', `This token does not hold the scope \`${beyond}\`, so it cannot give it.`);
    const of = { appId: app.appId, name, scopes, until: maker.expiresAt, ...(days !== undefined && { days }) };
    const { token, tokenId, expiresAt } = await makeAdminToken(truth.home, of);
    header('cache-control', 'no-store');
    return { token_id: tokenId, token, expire: expiresAt && BigInt(expiresAt.getTime()) };
  },
};
