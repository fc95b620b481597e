import { createHash } from 'node:crypto';
import type { AccessTokens } from '../kit/access-tokens.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { readForm } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { rejection, success } from './responses.ts';

export const TOKEN_PATH = '/server/v1/auth';
const TIMESTAMP_TOLERANCE_MS = 10 * 60 * 1000;

/**
 * Serves `POST /server/v1/auth`, which issues an access token for a signed timestamp. Several tokens can be valid at
 * the same time.
 */
export function serveToken(
  request: HttpsRequest,
  { apps, accessTokens, tokenLimit }: { apps: Apps; accessTokens: AccessTokens; tokenLimit: RateLimit },
): SimulatedResponse {
  if (request.method !== 'POST') return rejection(12);
  const form = readForm(request);
  if (form === undefined) return rejection(25, 'Content-Type must be application/x-www-form-urlencoded');
  const [appKey, timestamp, sign] = ['app_key', 'timestamp', 'sign'].map((name) => form.get(name) ?? '');
  if (!appKey) return rejection(15);
  if (!sign) return rejection(17);
  if (!timestamp) return rejection(18);
  const app = apps.byKey(appKey);
  if (app === undefined) return rejection(14);
  const nowMs = Date.now();
  const isInTime = Math.abs(nowMs - Number(timestamp)) <= TIMESTAMP_TOLERANCE_MS;
  if (!/^\d{13}$/.test(timestamp) || !isInTime) return rejection(19);
  const expected = createHash('sha256')
    .update(appKey + timestamp + app.masterSecret)
    .digest('hex');
  if (sign !== expected) return rejection(16);
  if (!tokenLimit.take(appKey, 1, nowMs)) return rejection(13);
  return success({ auth_token: accessTokens.issue(appKey, nowMs).token, create_time: nowMs });
}
