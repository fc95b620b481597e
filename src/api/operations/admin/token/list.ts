import { adminTokenList } from '#src/contract/admin/token/list.ts';
import { findAdminTokens } from '#src/storage/users/tokens.ts';
import type { Route } from '../../../context.ts';

const TOKENS_MAX = 1_000;

export const adminTokenListRoute: Route<typeof adminTokenList> = {
  operation: adminTokenList,
  handle: async ({ storage }, { app }) => {
    const tokens = await findAdminTokens(storage.home, app.appId, TOKENS_MAX);
    return tokens.map(({ tokenId, name, scopes, groupId, parent, expiresAt, createdAt }) => ({
      token_id: tokenId,
      name,
      scopes,
      group_id: groupId,
      parent,
      expire: expiresAt && BigInt(expiresAt.getTime()),
      created_at: BigInt(createdAt.getTime()),
    }));
  },
};
