import type { Static } from 'typebox';
import type { pushNotify } from '#src/contract/push/notify.ts';
import { type Caller, mayNotify, type UserPush } from '#src/domain/caller.ts';
import { shardOfPushToken } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import type { Audience } from '#src/domain/task.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import { findDevicesByPushToken } from '#src/storage/devices/devices.ts';
import type { ApiContext, ApiRequest } from '../context.ts';

type Body = Static<(typeof pushNotify)['body']>;

/** The audience of a request, if this caller may reach it; if not, it is refused, never cut. */
export async function readAudience(
  shards: Shards,
  caller: Caller,
  userPush: UserPush,
  audienceField: Body['audience'],
): Promise<Audience> {
  const audience = toAudience(audienceField);
  if (mayNotify(caller, audience, userPush) === 'own-push-tokens') await requireOwnPushTokens(shards, caller, audience);
  return audience;
}

/** Takes one of the requests that an app may make in a second, where that is set: to notify, or to ask what it would reach. */
export async function limitNotifyRequests(
  { limits }: ApiContext,
  { app, setHeader }: Pick<ApiRequest, 'app' | 'setHeader'>,
): Promise<void> {
  if (app.notifyPerSecond === null) return;
  const limit = { key: `${app.appId} notify`, pointsMax: app.notifyPerSecond, seconds: 1 };
  await limits.take(setHeader, limit, 'too-many-requests');
}

/** How a request wants its devices to be tried. */
export function readStrategy({ setting = {} }: Pick<Body, 'setting'>): Pick<RouteRules, 'strategy' | 'ospushSequence'> {
  return {
    strategy: setting.distribution_strategy ?? 'combined',
    ospushSequence: setting.ospush_sequence ?? ['ups', 'fcm'],
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
async function requireOwnPushTokens(shards: Shards, caller: Caller, audience: Audience): Promise<void> {
  const pushTokens = audience.kind === 'push_token' ? [...new Set(audience.pushTokens)] : [];
  const tokensWithShard = pushTokens.map((pushToken) => ({ pushToken, shard: shardOfPushToken(pushToken) }));
  const validTokens = tokensWithShard.flatMap(({ pushToken, shard }) =>
    shard === undefined ? [] : [{ appId: caller.appId, pushToken, shard }],
  );
  const groups = byDatabase(shards, validTokens, ({ shard }) => shard);
  const devices = (await Promise.all([...groups].map(([db, group]) => findDevicesByPushToken(db, group)))).flat();
  const ownDevices = devices.filter(({ userId }) => caller.kind === 'user' && userId === caller.userId);
  if (ownDevices.length !== pushTokens.length)
    throw new Problem('no-permission', 'A user token may notify only its own devices.');
}
