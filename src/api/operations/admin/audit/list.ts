import { adminAuditList } from '#src/contract/admin/audit/list.ts';
import { findAudit } from '#src/storage/users/audit.ts';
import type { Route } from '../../../context.ts';
import { pageOf } from '../../../records/page.ts';

export const adminAuditListRoute: Route<typeof adminAuditList> = {
  operation: adminAuditList,
  handle: async ({ truth }, { app, body }) => {
    const read = (after: bigint | null, limit: number) => findAudit(truth.home, app.appId, after, limit);
    const { list, next } = await pageOf(body, read, ({ auditId }) => auditId);
    return {
      list: list.map(({ at, tokenId, tokenName, operation, detail, address }) => ({
        at: BigInt(at.getTime()),
        token_id: tokenId,
        token_name: tokenName,
        operation,
        detail,
        address,
      })),
      next,
    };
  },
};
