import { createHash } from 'node:crypto';
import { pushNotify } from '#src/contract/push/notify.ts';
import { bucketOfNewTask } from '#src/domain/bucket.ts';
import { authorOf } from '#src/domain/caller.ts';
import type { Audience } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Shards } from '#src/storage/database/database.ts';
import { type AcceptedTask, findRepeatedTask, type NewTask } from '#src/storage/ledger/tasks.ts';
import { referenceOf } from '#src/storage/users/tokens.ts';
import type { ApiContext, ApiRequest, Route } from '../../context.ts';
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
    const identity = identityOf(request, context.storage.shards);
    const checked = await checkMessage(context, body.message).catch((error: Error) => error);
    const { taskId, repeated, bodyDiffers } =
      checked instanceof Error
        ? await findFirstTask(context, identity, checked)
        : await acceptTask(context, request, toTask(request, identity, audience, checked));
    if (repeated) request.setHeader('carillon-request', bodyDiffers ? 'repeated; other-body' : 'repeated');
    return { task_id: taskId };
  },
};

/**
 * Returns the task of an earlier request with the same idempotency key, because a message that was valid then can be
 * rejected now, for example if its `show_end_time` has passed. Throws the rejection if there is none.
 */
async function findFirstTask({ storage }: ApiContext, identity: TaskIdentity, rejection: Error): Promise<AcceptedTask> {
  const first = identity.requestId === null ? undefined : await findRepeatedTask(storage.home, identity);
  if (!first) throw rejection;
  return first;
}

async function acceptTask(
  { acceptor, ceilings }: ApiContext,
  { app, receivedMs }: ApiRequest<typeof pushNotify>,
  task: NewTask,
): Promise<AcceptedTask> {
  const accepted = await acceptor.accept(task, receivedMs);
  if (!accepted.repeated) ceilings.addTask(app.appId, accepted.taskId, storedBytesOf(task));
  return accepted;
}

const storedBytesOf = ({ messageText, audience }: NewTask): number =>
  Buffer.byteLength(messageText) + Buffer.byteLength(stringifyJson(audience));

type TaskIdentity = Pick<NewTask, 'appId' | 'author' | 'requestId' | 'bucket' | 'bodyHash'>;

function identityOf({ caller, body }: ApiRequest<typeof pushNotify>, shards: Shards): TaskIdentity {
  const key = { appId: caller.appId, author: authorOf(caller), requestId: body.setting?.request_id ?? null };
  return {
    ...key,
    bucket: bucketOfNewTask(key, (bucket) => shards.dbFor(bucket).isAvailable),
    bodyHash: createHash('sha256').update(stringifyJson(body)).digest(),
  };
}

function toTask(
  { caller, token, body }: ApiRequest<typeof pushNotify>,
  identity: TaskIdentity,
  audience: Audience,
  { messageText, dueAt, notAfter }: CheckedMessage,
): NewTask {
  const groupId = caller.kind === 'group' ? caller.groupId : null;
  const isBulk = audience.kind === 'all' || audience.kind === 'tag';
  return {
    ...identity,
    token: referenceOf(token),
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
