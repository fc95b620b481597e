import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { pushNotify } from '#src/contract/push.ts';
import { authorOf, mayNotify } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Audience } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { NewTask } from '#src/truth/tasks.ts';
import type { ApiContext, ApiRequest, Route } from '../context.ts';
import { checkMessage } from '../message-rules.ts';

type Body = Static<(typeof pushNotify)['body']>;

export const pushNotifyRoute: Route<typeof pushNotify> = {
  operation: pushNotify,
  token: 'required',
  handle: async (context, request) => {
    const { taskId, repeated, otherBody } = await context.accept.accept(toTask(context, request));
    if (repeated) request.header('carillon-request', otherBody ? 'repeated; other-body' : 'repeated');
    return { task_id: taskId };
  },
};

function toTask(context: ApiContext, { caller, body }: ApiRequest<typeof pushNotify>): NewTask {
  const audience = toAudience(body.audience);
  mayNotify(caller, audience);
  const { message, dueAt, notAfter } = checkMessage(body.message, context.clock.now());
  const { setting = {} } = body;
  return {
    appId: caller.appId,
    author: authorOf(caller),
    requestId: setting.request_id ?? null,
    bodyHash: createHash('sha256').update(stringifyJson(body)).digest(),
    lane: 'prompt',
    expansions: 1,
    strategy: setting.distribution_strategy ?? 'combined',
    ospushSequence: setting.ospush_sequence ?? ['ups', 'fcm'],
    audience,
    messageText: stringifyJson(message),
    dueAt,
    notAfter,
  };
}

function toAudience(audience: Body['audience']): Audience {
  if (typeof audience === 'string' || audience.tag || audience.alias)
    throw new Problem('bad-parameter', 'This version reaches audience.user_id and audience.push_token.');
  const { user_id: userIds, push_token: pushTokens } = audience;
  if (userIds && !pushTokens) return { kind: 'user_id', userIds };
  if (pushTokens && !userIds) return { kind: 'push_token', pushTokens };
  throw new Problem('bad-parameter', 'audience takes exactly one of tag, alias, user_id, push_token.');
}
