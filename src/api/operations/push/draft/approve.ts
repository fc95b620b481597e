import { pushDraftApprove } from '#src/contract/push/draft/approve.ts';
import { pushNotify } from '#src/contract/push/notify.ts';
import type { Caller } from '#src/domain/caller.ts';
import { toAudience } from '#src/domain/drafts/request-audience.ts';
import { Problem } from '#src/domain/problem.ts';
import { parseJson } from '#src/foundation/json.ts';
import { type Draft, decideDraft, findDraft, saveDraftTask } from '#src/storage/ledger/drafts.ts';
import type { ApiContext, ApiRequest, Route } from '../../../context.ts';
import { compileValidator } from '../../../http/validate.ts';
import {
  acceptNotification,
  admitNotification,
  checkNotification,
  type NotifyRequest,
} from '../../../notify/accept-notification.ts';
import { needsApproval, sumOfDevices } from '../../../notify/count-devices.ts';
import { draftSightOf, draftTokenOf } from '../../../records/draft-record.ts';

type ApproveRequest = ApiRequest<typeof pushDraftApprove>;

/**
 * Records the decision, then accepts the task, then records the task. Every step can be repeated. The idempotency key
 * is part of the draft, so a repeated or concurrent approval finds the task of the first one.
 */
export const pushDraftApproveRoute: Route<typeof pushDraftApprove> = {
  operation: pushDraftApprove,
  admit: admitNotification,
  precheck: async (_context, { caller }) => void draftSightOf(caller),
  handle: async (context, request) => {
    const { home } = context.storage;
    const sight = draftSightOf(request.caller);
    const { draft_id: draftId } = request.body;
    const draft = requireApprovable(await findDraft(home, sight, draftId));
    if (draft.taskId !== null) return { task_id: draft.taskId };
    const notification = toNotifyRequest(request, draft);
    if (draft.state === 'open') await requireApprover(context, request, draft, notification);
    const checked = await checkNotification(context, notification);
    const decision = { draftId, state: 'approved', token: draftTokenOf(request.token), reason: null } as const;
    requireApprovable(await decideDraft(home, sight, decision));
    const taskId = await acceptNotification(context, notification, checked);
    await saveDraftTask(home, draftId, taskId);
    return { task_id: taskId };
  },
};

function requireApprovable(draft: Draft | undefined): Draft {
  if (!draft) throw new Problem('no-such-draft');
  if (draft.state === 'rejected')
    throw new Problem(
      'draft-decided',
      `${draft.decidedName} rejected it. To send the notification, create a new draft.`,
    );
  return draft;
}

/** Throws if the token that created the draft approves it, and the draft needs the approval of another token. */
async function requireApprover(
  context: ApiContext,
  { app, token }: ApproveRequest,
  draft: Draft,
  { caller, body }: NotifyRequest,
): Promise<void> {
  const { kind, tokenId } = draftTokenOf(token);
  if (kind !== draft.tokenKind || tokenId !== draft.tokenId) return;
  // The audience may have grown since the draft was created.
  const countAgain = () => sumOfDevices(context, caller, toAudience(body.audience));
  if (draft.needsApproval || (app.approvalAbove !== null && needsApproval(app, await countAgain())))
    throw new Problem('approval-required');
}

const checkBody = compileValidator(pushNotify.body, 'body');

/** Returns the request in the draft, as if its author sent it now with the token of the approver. */
function toNotifyRequest(request: ApproveRequest, draft: Draft): NotifyRequest {
  const body = parseJson(draft.bodyText) as NotifyRequest['body'];
  // Converts integers to int64, like the validation of a request.
  checkBody(body);
  const { hold_seconds: holdSeconds = body.setting?.hold_seconds ?? 0 } = request.body;
  const setting = { request_id: `draft-${draft.requestKey}`, ...body.setting, hold_seconds: holdSeconds };
  return { ...request, caller: callerOf(request, draft), body: { ...body, setting } };
}

/** The task has the author and the group of the draft. Every approver therefore uses the same idempotency key. */
function callerOf({ caller }: ApproveRequest, { appId, author, groupId }: Draft): Caller {
  const scopes = caller.kind === 'user' ? [] : caller.scopes;
  if (groupId !== null) return { kind: 'group', appId, scopes, groupId };
  const [, userId] = /^user:(-?\d+)$/.exec(author) ?? [];
  return { kind: 'admin', appId, scopes, onBehalfOf: userId === undefined ? undefined : BigInt(userId) };
}
