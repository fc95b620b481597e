import { createHash } from 'node:crypto';
import { pushNotify } from '#src/contract/push/notify.ts';
import { bucketOfNewTask } from '#src/domain/bucket.ts';
import { authorOf } from '#src/domain/caller.ts';
import type { Audience } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Shards } from '#src/storage/database/database.ts';
import type { NewTask } from '#src/storage/ledger/tasks.ts';
import { referenceOf } from '#src/storage/users/tokens.ts';
import type { ApiRequest, Route } from '../../context.ts';
import { limitNotifyRequests, readAudience, readStrategy } from '../../notify/audience.ts';
import { type CheckedMessage, checkMessage } from '../../notify/message-rules.ts';

export const pushNotifyRoute: Route<typeof pushNotify> = {
  operation: pushNotify,
  admit: async ({ ceilings }, { appId }) => {
    await ceilings.takeCall(appId);
    await ceilings.requireRoom(appId, 'openTasks');
    await ceilings.requireRoom(appId, 'storedBytes');
  },
  handle: async (context, request) => {
    const { app, caller, body } = request;
    const audience = await readAudience(context.storage.shards, caller, app.userPush, body.audience);
    await limitNotifyRequests(context, request);
    const task = toTask(request, context.storage.shards, audience, await checkMessage(context, body.message));
    const { taskId, repeated, bodyDiffers } = await context.acceptor.accept(task, request.receivedMs);
    if (!repeated) context.ceilings.addTask(app.appId, taskId, storedBytesOf(task));
    if (repeated) request.setHeader('carillon-request', bodyDiffers ? 'repeated; other-body' : 'repeated');
    return { task_id: taskId };
  },
};

const storedBytesOf = ({ messageText, audience }: NewTask): number =>
  Buffer.byteLength(messageText) + Buffer.byteLength(stringifyJson(audience));

function toTask(
  { caller, token, body }: ApiRequest<typeof pushNotify>,
  shards: Shards,
  audience: Audience,
  { messageText, dueAt, notAfter }: CheckedMessage,
): NewTask {
  const groupId = caller.kind === 'group' ? caller.groupId : null;
  const isBulk = audience.kind === 'all' || audience.kind === 'tag';
  const key = { appId: caller.appId, author: authorOf(caller), requestId: body.setting?.request_id ?? null };
  return {
    ...key,
    token: referenceOf(token),
    bucket: bucketOfNewTask(key, (bucket) => shards.dbFor(bucket).isAvailable),
    bodyHash: createHash('sha256').update(stringifyJson(body)).digest(),
    lane: isBulk ? 'bulk' : 'prompt',
    // Members of a group are looked up page by page.
    byRange: isBulk && groupId === null ? null : false,
    ...readStrategy(body),
    audience,
    groupId,
    messageText,
    dueAt,
    notAfter,
  };
}
