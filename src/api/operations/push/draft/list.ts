import { pushDraftList } from '#src/contract/push/draft/list.ts';
import { findDrafts } from '#src/storage/ledger/drafts.ts';
import type { Route } from '../../../context.ts';
import { draftSightOf, toDraftRecord } from '../../../records/draft-record.ts';
import { readPage } from '../../../records/page.ts';

export const pushDraftListRoute: Route<typeof pushDraftList> = {
  operation: pushDraftList,
  handle: async ({ storage }, { caller, body }) => {
    const sight = draftSightOf(caller);
    const { list, next } = await readPage(
      body,
      (before, limit) => findDrafts(storage.home, sight, body.state ?? null, before, limit),
      ({ draftId }) => draftId,
    );
    return { list: list.map(toDraftRecord), next };
  },
};
