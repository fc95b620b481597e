import { pushDraftGet } from '#src/contract/push/draft/get.ts';
import { Problem } from '#src/domain/problem.ts';
import { findDraft } from '#src/storage/ledger/drafts.ts';
import type { Route } from '../../../context.ts';
import { draftSightOf, toDraftRecord } from '../../../records/draft-record.ts';

export const pushDraftGetRoute: Route<typeof pushDraftGet> = {
  operation: pushDraftGet,
  handle: async ({ storage }, { caller, body }) => {
    const draft = await findDraft(storage.home, draftSightOf(caller), body.draft_id);
    if (!draft) throw new Problem('no-such-draft');
    return { ...toDraftRecord(draft), request: draft.bodyText };
  },
};
