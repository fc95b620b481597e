import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { pushNotify } from '#src/contract/push/notify.ts';
import { bucketOfNewTask } from '#src/domain/bucket.ts';
import { authorOf } from '#src/domain/caller.ts';
import type { Audience } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import type { Shards } from '#src/storage/database/database.ts';
import { type AcceptedTask, findRepeatedTask, type NewTask } from '#src/storage/ledger/tasks.ts';
import { referenceOf } from '#src/storage/users/tokens.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import type { SetHeader } from '../http/limits.ts';
import { limitNotifyRequests, readAudience, readStrategy } from './audience.ts';
import { type CheckedMessage, checkMessage } from './message-rules.ts';

/** A request of `/push/notify`, or of an approval of a draft with such a request. */
export interface NotifyRequest extends Pick<ApiRequest, 'app' | 'caller' | 'token' | 'receivedMs' | 'setHeader'> {
  readonly body: Static<(typeof pushNotify)['body']>;
}

/** Throws unless the app can send another notification. */
export async function admitNotification({ ceilings }: ApiContext, { appId }: App): Promise<void> {
  await ceilings.takeCall(appId, 'notify');
  await ceilings.requireRoom(appId, 'openTasks');
  await ceilings.requireRoom(appId, 'storedBytes');
}

/**
 * Checks a request and returns its task. If the request is rejected, returns the task of an earlier request with the
 * same idempotency key instead, or throws the rejection if there is none.
 */
export async function checkNotification(
  context: ApiContext,
  request: NotifyRequest,
): Promise<{ readonly newTask: NewTask } | { readonly firstTask: AcceptedTask }> {
  const { app, caller, body } = request;
  const audience = await readAudience(context.storage.shards, caller, app.userPush, body.audience);
  await limitNotifyRequests(context, request, 'notify');
  const identity = identityOf(request, context.storage.shards);
  const checked = await checkMessage(context, body).catch((error: Error) => error);
  return checked instanceof Error
    ? { firstTask: await findFirstTask(context, identity, checked) }
    : { newTask: toTask(request, identity, audience, checked) };
}

/** Accepts the task of a checked request, and marks the response if an earlier request created the task. */
export async function acceptNotification(
  { acceptor, ceilings }: ApiContext,
  { app, receivedMs, setHeader }: NotifyRequest,
  checked: Awaited<ReturnType<typeof checkNotification>>,
): Promise<bigint> {
  if ('firstTask' in checked) return markRepetition(setHeader, checked.firstTask);
  const accepted = await acceptor.accept(checked.newTask, receivedMs);
  if (!accepted.repeated) ceilings.addTask(app.appId, accepted.taskId, storedBytesOf(checked.newTask));
  return markRepetition(setHeader, accepted);
}

function markRepetition(setHeader: SetHeader, { taskId, repeated, bodyDiffers }: AcceptedTask): bigint {
  if (repeated) setHeader('carillon-request', bodyDiffers ? 'repeated; other-body' : 'repeated');
  return taskId;
}

/**
 * Returns the task of an earlier request with the same idempotency key, because a message that was valid then can be
 * rejected now, for example if its `show_end_time` has passed. Throws the rejection if there is none.
 */
async function findFirstTask({ storage }: ApiContext, identity: TaskIdentity, rejection: Error): Promise<AcceptedTask> {
  const first = identity.requestId === null ? undefined : await findRepeatedTask(storage.home, identity);
  if (!first) throw rejection;
  return first;
}

const storedBytesOf = ({ messageText, audience }: NewTask): number =>
  Buffer.byteLength(messageText) + Buffer.byteLength(stringifyJson(audience));

type TaskIdentity = Pick<NewTask, 'appId' | 'author' | 'requestId' | 'bucket' | 'bodyHash'>;

function identityOf({ caller, body }: NotifyRequest, shards: Shards): TaskIdentity {
  const key = { appId: caller.appId, author: authorOf(caller), requestId: body.setting?.request_id ?? null };
  return {
    ...key,
    bucket: bucketOfNewTask(key, (bucket) => shards.dbFor(bucket).isAvailable),
    bodyHash: createHash('sha256').update(stringifyJson(body)).digest(),
  };
}

function toTask(
  { caller, token, body }: NotifyRequest,
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
