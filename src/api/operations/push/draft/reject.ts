import { pushDraftReject } from '#src/contract/push/draft/reject.ts';
import { Problem } from '#src/domain/problem.ts';
import { decideDraft } from '#src/storage/ledger/drafts.ts';
import type { Route } from '../../../context.ts';
import { draftSightOf, draftTokenOf } from '../../../records/draft-record.ts';

export const pushDraftRejectRoute: Route<typeof pushDraftReject> = {
  operation: pushDraftReject,
  precheck: async (_context, { caller }) => void draftSightOf(caller),
  handle: async ({ storage }, { caller, token, body }) => {
    const { draft_id: draftId, reason = null } = body;
    const decision = { draftId, state: 'rejected', token: draftTokenOf(token), reason } as const;
    const draft = await decideDraft(storage.home, draftSightOf(caller), decision);
    if (!draft) throw new Problem('no-such-draft');
    if (draft.state === 'approved')
      throw new Problem(
        'draft-decided',
        `${draft.decidedName} approved it. To stop the notification, cancel its task with /push/task/cancel.`,
      );
    return {};
  },
};
