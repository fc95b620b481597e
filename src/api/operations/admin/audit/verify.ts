import { adminAuditVerify } from '#src/contract/admin/audit/verify.ts';
import { checkChain } from '#src/domain/verification/audit-chain.ts';
import { findChainPage } from '#src/storage/users/audit-chain.ts';
import type { Route } from '../../../context.ts';

const ENTRIES_PER_PAGE = 1_000;

export const adminAuditVerifyRoute: Route<typeof adminAuditVerify> = {
  operation: adminAuditVerify,
  handle: async ({ storage, log }, { address, body }) => {
    const [afterId = '0', afterHash] = body.after?.split('.') ?? [];
    const { rows, pending } = await findChainPage(storage.home, BigInt(afterId), ENTRIES_PER_PAGE);
    const { entries, hash, fault, isExpectedFound } = checkChain(rows, fromHex(afterHash), fromHex(body.expect));
    if (fault) log.security('audit-mismatch', { address, ...fault });
    const last = rows.at(-1);
    const hasMore = !fault && pending === 0 && rows.length === ENTRIES_PER_PAGE;
    return {
      entries: BigInt(entries),
      pending,
      hash: hash?.toString('hex') ?? null,
      expected_found: isExpectedFound,
      list: fault ? [{ audit_id: fault.auditId, reason: fault.reason }] : [],
      next: hasMore && hash && last ? `${last.auditId}.${hash.toString('hex')}` : null,
    };
  },
};

const fromHex = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text, 'hex'));
