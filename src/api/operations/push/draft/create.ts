import { pushDraftCreate } from '#src/contract/push/draft/create.ts';
import { authorOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { DRAFT_DAYS, DRAFTS_MAX, findRepeatedDraft, insertDraft, OPEN_DRAFTS_MAX } from '#src/storage/ledger/drafts.ts';
import type { Route } from '../../../context.ts';
import { limitNotifyRequests, readAudience } from '../../../notify/audience.ts';
import { needsApproval, sumOfDevices } from '../../../notify/count-devices.ts';
import { checkMessage } from '../../../notify/message-rules.ts';
import { draftSightOf, draftTokenOf, toDraftRecord } from '../../../records/draft-record.ts';

export const pushDraftCreateRoute: Route<typeof pushDraftCreate> = {
  operation: pushDraftCreate,
  admit: async ({ ceilings }, { appId }) => {
    await ceilings.takeCall(appId, 'notify');
    await ceilings.requireRoom(appId, 'storedBytes');
  },
  precheck: async (_context, { caller }) => void draftSightOf(caller),
  handle: async (context, request) => {
    const { storage } = context;
    const { app, caller, token } = request;
    const { note = null, ...body } = request.body;
    const sight = draftSightOf(caller);
    const audience = await readAudience(storage.shards, caller, app.userPush, body.audience);
    await limitNotifyRequests(context, request, 'notify');
    const content = { author: authorOf(caller), bodyText: stringifyJson(body), token: draftTokenOf(token) };
    // Two calls at the same time can still create two drafts. Only one is sent, because both have the same key.
    const repeated = body.setting?.request_id && (await findRepeatedDraft(storage.home, sight, content));
    if (repeated) return toDraftRecord(repeated);
    await checkMessage(context, body);
    const counted = await sumOfDevices(context, caller, audience);
    const draft = await insertDraft(storage.home, {
      ...{ ...sight, ...content, note, devices: counted.devices },
      needsApproval: needsApproval(app, counted),
    });
    if (!draft)
      throw new Problem(
        'too-many-drafts',
        `Approve or reject some of them: at most ${OPEN_DRAFTS_MAX} can be open. If fewer are open, wait: an app can create ${DRAFTS_MAX} drafts in ${DRAFT_DAYS} days.`,
      );
    return toDraftRecord(draft);
  },
};
