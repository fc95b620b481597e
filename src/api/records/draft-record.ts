import type { Static } from 'typebox';
import type { draftRecord } from '#src/contract/schemas/draft-record.ts';
import { type Caller, taskVisibilityOf } from '#src/domain/caller.ts';
import { parseDraft } from '#src/domain/drafts/request-audience.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Draft, DraftSight, DraftToken } from '#src/storage/ledger/drafts.ts';
import { referenceOf, type TokenRow } from '#src/storage/users/tokens.ts';

/** Returns the drafts that a caller can see. Throws for an access token of a user, which cannot use drafts. */
export function draftSightOf(caller: Caller): DraftSight {
  const sight = taskVisibilityOf(caller);
  if (sight.kind === 'author') throw new Problem('no-permission', 'This operation requires an admin token.');
  return { appId: caller.appId, groupId: sight.kind === 'group' ? sight.groupId : null };
}

/** Returns the token of a request as it is stored with a draft. */
export function draftTokenOf(token: TokenRow): DraftToken {
  const { kind, tokenId } = referenceOf(token);
  return { kind, tokenId, name: nameOf(token) };
}

function nameOf(token: TokenRow): string {
  switch (token.kind) {
    case 'admin':
      return token.name;
    case 'operator':
      return token.email;
    case 'user':
      return '';
  }
}

/** Converts a draft to its API record. */
export function toDraftRecord(draft: Draft): Static<typeof draftRecord> {
  const { body, audience } = parseDraft(draft.bodyText);
  return {
    draft_id: draft.draftId,
    state: draft.state,
    author: draft.author,
    audience: audience.kind,
    title: typeof body.message.title === 'string' ? body.message.title : null,
    note: draft.note,
    devices: draft.devices,
    needs_approval: draft.needsApproval,
    created_by: draft.tokenName,
    created_by_kind: draft.tokenKind,
    created_by_id: draft.tokenId,
    created_at: BigInt(draft.createdAt.getTime()),
    expires_at: BigInt(draft.expiresAt.getTime()),
    decided_by: draft.decidedName,
    decided_by_kind: draft.decidedKind,
    decided_by_id: draft.decidedId,
    decided_at: draft.decidedAt && BigInt(draft.decidedAt.getTime()),
    reason: draft.reason,
    task_id: draft.taskId,
  };
}
