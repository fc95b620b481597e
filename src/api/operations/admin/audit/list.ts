import { adminAuditList } from '#src/contract/admin/audit/list.ts';
import { findAuditEntries } from '#src/storage/users/audit.ts';
import type { Route } from '../../../context.ts';
import { readPage } from '../../../records/page.ts';

export const adminAuditListRoute: Route<typeof adminAuditList> = {
  operation: adminAuditList,
  handle: async ({ storage }, { app, body }) => {
    const read = (after: bigint | null, limit: number) => findAuditEntries(storage.home, app.appId, after, limit);
    const { list, next } = await readPage(body, read, ({ auditId }) => auditId);
    return {
      list: list.map(({ auditId, at, tokenId, tokenName, operation, detail, address, resultOf }) => ({
        audit_id: auditId,
        at: BigInt(at.getTime()),
        token_id: tokenId,
        token_name: tokenName,
        operation,
        detail,
        address,
        result_of: resultOf,
      })),
      next,
    };
  },
};
