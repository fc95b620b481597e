import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { pushNotify } from '#src/contract/push-notify.ts';
import { authorOf, type Caller, mayNotify } from '#src/domain/caller.ts';
import { shardOfPushToken } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Audience } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { byDatabase, type Shards } from '#src/truth/database.ts';
import { findDevicesByPushToken } from '#src/truth/devices.ts';
import type { NewTask } from '#src/truth/tasks.ts';
import type { ApiRequest, Route } from '../context.ts';
import { type CheckedMessage, checkMessage } from '../message-rules.ts';

type Body = Static<(typeof pushNotify)['body']>;

export const pushNotifyRoute: Route<typeof pushNotify> = {
  operation: pushNotify,
  handle: async (context, request) => {
    const { app, caller, body } = request;
    const audience = toAudience(body.audience);
    if (mayNotify(caller, audience, app.userPush) === 'own-push-tokens')
      await mustOwn(context.truth.shards, caller, audience);
    if (app.notifyPerSecond !== null) {
      const limit = { key: `${app.appId} notify`, pointsMax: app.notifyPerSecond, seconds: 1 };
      await context.limits.take(request, limit, 'too-many-requests');
    }
    const task = toTask(request, audience, await checkMessage(context, body.message));
    const { taskId, repeated, otherBody } = await context.accept.accept(task);
    if (repeated) request.header('carillon-request', otherBody ? 'repeated; other-body' : 'repeated');
    return { task_id: taskId };
  },
};

function toTask(
  { caller, body }: ApiRequest<typeof pushNotify>,
  audience: Audience,
  { message, dueAt, notAfter }: CheckedMessage,
): NewTask {
  const { setting = {} } = body;
  const groupId = caller.kind === 'group' ? caller.groupId : null;
  // A group's members are found person by person, and so are their tags.
  const everyone = (audience.kind === 'all' || audience.kind === 'tag') && groupId === null;
  return {
    appId: caller.appId,
    author: authorOf(caller),
    requestId: setting.request_id ?? null,
    bodyHash: createHash('sha256').update(stringifyJson(body)).digest(),
    lane: everyone ? 'bulk' : 'prompt',
    expansions: everyone ? 64 : 1,
    strategy: setting.distribution_strategy ?? 'combined',
    ospushSequence: setting.ospush_sequence ?? ['ups', 'fcm'],
    audience,
    groupId,
    messageText: stringifyJson(message),
    dueAt,
    notAfter,
  };
}

/** Blank keys are gone already: exactly one is left. */
function toAudience(audience: Body['audience']): Audience {
  if (audience === 'all') return { kind: 'all' };
  const keys = (['tag', 'alias', 'user_id', 'push_token'] as const).filter((key) => audience[key] !== undefined);
  if (keys.length !== 1)
    throw new Problem('bad-parameter', 'audience takes exactly one of tag, alias, user_id, push_token.');
  const { tag, alias, user_id: userIds, push_token: pushTokens } = audience;
  if (tag) return { kind: 'tag', names: tag };
  if (alias) return { kind: 'alias', names: alias };
  return userIds ? { kind: 'user_id', userIds } : { kind: 'push_token', pushTokens: pushTokens as string[] };
}

/** A user may name the push tokens of their own devices and no others; an unknown one is refused like a stranger's. */
async function mustOwn(shards: Shards, caller: Caller, audience: Audience): Promise<void> {
  const pushTokens = audience.kind === 'push_token' ? [...new Set(audience.pushTokens)] : [];
  const wanted = pushTokens.map((pushToken) => ({ pushToken, shard: shardOfPushToken(pushToken) }));
  const known = wanted.flatMap(({ pushToken, shard }) =>
    shard === undefined ? [] : [{ appId: caller.appId, pushToken, shard }],
  );
  const groups = byDatabase(shards, known, ({ shard }) => shard);
  const devices = (await Promise.all([...groups].map(([db, group]) => findDevicesByPushToken(db, group)))).flat();
  const own = devices.filter(({ userId }) => caller.kind === 'user' && userId === caller.userId);
  if (own.length !== pushTokens.length)
    throw new Problem('no-permission', 'A user token may notify only its own devices.');
}
