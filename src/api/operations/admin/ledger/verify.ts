import { adminLedgerVerify } from '#src/contract/admin/ledger/verify.ts';
import { Problem } from '#src/domain/problem.ts';
import { formatCursor, parseCursor, VERIFY_START } from '#src/domain/verification/verify-cursor.ts';
import type { Route } from '../../../context.ts';
import { verifyPage } from '../../../ledger/verify-page.ts';

export const adminLedgerVerifyRoute: Route<typeof adminLedgerVerify> = {
  operation: adminLedgerVerify,
  handle: async ({ storage }, { app, body }) => {
    const cursor = body.after === undefined ? VERIFY_START : parseCursor(body.after);
    if (!cursor)
      throw new Problem('bad-parameter', 'after is not a valid cursor. Send `next` of the previous response.');
    const { laws, tasks, slices, places, violations, next } = await verifyPage(storage, app.appId, cursor);
    return {
      laws: [...laws],
      tasks: BigInt(tasks),
      slices,
      places,
      list: violations.map(({ law, what, taskId, bucket, sliceNumber }) => ({
        law,
        what,
        task_id: taskId,
        bucket,
        slice: sliceNumber,
      })),
      next: next && formatCursor(next),
    };
  },
};
