import type { Static } from 'typebox';
import type { pushNotify } from '#src/contract/push/notify.ts';
import { type Caller, mayNotify, type UserPush } from '#src/domain/caller.ts';
import { bucketOfPushToken } from '#src/domain/device.ts';
import { toAudience } from '#src/domain/drafts/request-audience.ts';
import { Problem } from '#src/domain/problem.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import type { Audience } from '#src/domain/task.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import { findDevicesByPushToken } from '#src/storage/devices/devices.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import type { LimitedCall } from '../http/app-ceilings.ts';

type Body = Static<(typeof pushNotify)['body']>;

/** Returns the audience of a request. Throws if the caller may not reach all of it; an audience is never reduced. */
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

/**
 * Takes one point from the app's limit per second, if a limit is set. Validations are counted separately. The ceiling of
 * the app applies if it is lower.
 */
export async function limitNotifyRequests(
  { limits, ceilings }: ApiContext,
  { app, setHeader }: Pick<ApiRequest, 'app' | 'setHeader'>,
  call: LimitedCall,
): Promise<void> {
  if (app.notifyPerSecond === null) return;
  const pointsMax = Math.min(app.notifyPerSecond, await ceilings.callsPerSecond(app.appId));
  const limit = { key: `${app.appId} ${call}`, pointsMax, seconds: 1 };
  await limits.take(setHeader, limit, 'too-many-requests');
}

/** Returns the delivery strategy and the vendor sequence of a request. */
export function readStrategy({ setting = {} }: Pick<Body, 'setting'>): Pick<RouteRules, 'strategy' | 'ospushSequence'> {
  return {
    strategy: setting.distribution_strategy ?? 'combined',
    ospushSequence: setting.ospush_sequence ?? ['ups', 'fcm'],
  };
}

/**
 * Throws unless all push tokens belong to the user's own devices. Unknown push tokens get the same error as those of
 * other users.
 */
async function requireOwnPushTokens(shards: Shards, caller: Caller, audience: Audience): Promise<void> {
  const pushTokens = audience.kind === 'push_token' ? [...new Set(audience.pushTokens)] : [];
  const tokensWithBucket = pushTokens.map((pushToken) => ({ pushToken, bucket: bucketOfPushToken(pushToken) }));
  const validTokens = tokensWithBucket.flatMap(({ pushToken, bucket }) =>
    bucket === undefined ? [] : [{ appId: caller.appId, pushToken, bucket }],
  );
  const groups = byDatabase(shards, validTokens, ({ bucket }) => bucket);
  const devices = (await Promise.all([...groups].map(([db, group]) => findDevicesByPushToken(db, group)))).flat();
  const ownDevices = devices.filter(({ userId }) => caller.kind === 'user' && userId === caller.userId);
  if (ownDevices.length !== pushTokens.length)
    throw new Problem('no-permission', 'A user token can notify only its own devices.');
}
