import { adminAuditList } from '#src/contract/admin/audit/list.ts';
import { PAGE_DEFAULT } from '#src/contract/schemas/fields.ts';
import { hasScope } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { INT64_MAX, INT64_MIN } from '#src/foundation/int64.ts';
import { containsText, ilikePattern, rangeAfter } from '#src/foundation/lists/list-page.ts';
import { scanAuditEntries } from '#src/storage/users/audit.ts';
import type { Route } from '../../../context.ts';
import { toScannedPage } from '../../../records/scanned-page.ts';

export const adminAuditListRoute: Route<typeof adminAuditList> = {
  operation: adminAuditList,
  handle: async ({ storage }, { app, caller, body }) => {
    if (body.installation && (caller.kind !== 'admin' || !hasScope(caller.scopes, 'platform')))
      throw new Problem('no-permission', 'Entries of the installation require the scope `platform`.');
    const appId = body.installation ? null : app.appId;
    const { limit = PAGE_DEFAULT, after, order = 'newest', text } = body;
    const filter = {
      range: rangeAfter([INT64_MIN, INT64_MAX], after, order),
      order,
      from: toDate(body.from),
      to: toDate(body.to),
      operationPrefix: body.operation,
      tokenId: body.token_id,
      operatorId: body.operator_id,
      detailPattern: text === undefined ? undefined : ilikePattern(text),
    };
    const rows = await scanAuditEntries(storage.home, appId, filter, limit + 1);
    const { list: found, next } = toScannedPage(rows, limit, ({ auditId }) => auditId);
    const list = text === undefined ? found : found.filter(({ detail }) => containsText(detail, text));
    return {
      list: list.map(({ auditId, at, tokenId, tokenName, operation, detail, address, resultOf, ...operator }) => ({
        audit_id: auditId,
        at: BigInt(at.getTime()),
        token_id: tokenId,
        token_name: tokenName,
        operator_id: operator.operatorId,
        operator_name: operator.operatorName,
        operation,
        detail,
        address,
        result_of: resultOf,
      })),
      next,
    };
  },
};

/** The range of times that both JavaScript and PostgreSQL can represent: the years 1 to 9999. */
const TIME_MS_MIN = BigInt(Date.parse('0001-01-01T00:00:00Z'));
const TIME_MS_MAX = BigInt(Date.parse('9999-12-31T00:00:00Z'));

function toDate(ms: bigint | undefined): Date | undefined {
  if (ms === undefined) return undefined;
  return new Date(Number(ms < TIME_MS_MIN ? TIME_MS_MIN : ms > TIME_MS_MAX ? TIME_MS_MAX : ms));
}
