import { createHash } from 'node:crypto';
import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Ending, HttpsRequest } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { readForm } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { refusal, success } from './responses.ts';

export const TOKEN_PATH = '/server/v1/auth';
const TIMESTAMP_TOLERANCE_MS = 10 * 60 * 1000;

/** `POST /server/v1/auth`: a signed moment for an access token. Several may be in use. */
export function serveToken(
  request: HttpsRequest,
  { apps, accessTokens, tokenAllowance }: { apps: Apps; accessTokens: AccessTokens; tokenAllowance: Allowance },
): Ending {
  if (request.method !== 'POST') return refusal(12);
  const form = readForm(request);
  if (form === undefined) return refusal(25, 'Content-Type must be application/x-www-form-urlencoded');
  const [appKey, timestamp, sign] = ['app_key', 'timestamp', 'sign'].map((name) => form.get(name) ?? '');
  if (!appKey) return refusal(15);
  if (!sign) return refusal(17);
  if (!timestamp) return refusal(18);
  const app = apps.byKey(appKey);
  if (app === undefined) return refusal(14);
  const nowMs = Date.now();
  const isInTime = Math.abs(nowMs - Number(timestamp)) <= TIMESTAMP_TOLERANCE_MS;
  if (!/^\d{13}$/.test(timestamp) || !isInTime) return refusal(19);
  const expected = createHash('sha256')
    .update(appKey + timestamp + app.masterSecret)
    .digest('hex');
  if (sign !== expected) return refusal(16);
  if (!tokenAllowance.take(appKey, 1, nowMs)) return refusal(13);
  return success({ auth_token: accessTokens.issue(appKey, nowMs).token, create_time: nowMs });
}
