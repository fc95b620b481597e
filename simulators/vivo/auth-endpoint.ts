import { createHash } from 'node:crypto';
import type { AccessTokens } from '../kit/access-tokens.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { hasJsonContentType, parseObject, stringOrEmpty } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { type Code, plainResponse, toResult } from './responses.ts';

export const AUTH_PATH = '/message/auth';
const SKEW_MS_MAX = 10 * 60 * 1000;

/**
 * Serves `POST /message/auth`, which issues an access token for a valid signature over a timestamp and the app's
 * credentials.
 */
export function serveAuth(
  request: HttpsRequest,
  { apps, accessTokens, authLimit }: { apps: Apps; accessTokens: AccessTokens; authLimit: RateLimit },
): SimulatedResponse {
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const body = hasJsonContentType(request) ? parseObject(request.body) : undefined;
  if (body === undefined)
    return toResult(10800, {}, 'the body must be a JSON object with Content-Type application/json');
  const appId = idOf(body.appId);
  const now = Date.now();
  if (appId !== '' && !authLimit.take(appId, 1, now)) return toResult(10093);
  const code = findErrorCode(
    appId,
    stringOrEmpty(body.appKey).trim(),
    body.timestamp,
    stringOrEmpty(body.sign),
    apps,
    now,
  );
  return code === undefined ? toResult(0, { authToken: accessTokens.issue(appId, now).token }) : toResult(code);
}

function findErrorCode(
  appId: string,
  appKey: string,
  timestamp: unknown,
  sign: string,
  apps: Apps,
  nowMs: number,
): Code | undefined {
  if (appId === '') return 10200;
  if (appKey === '') return 10201;
  if (timestamp === undefined) return 10203;
  if (sign === '') return 10204;
  const app = apps.get(appId);
  if (app === undefined) return 10205;
  if (appKey !== app.appKey) return 10202;
  const isTime = typeof timestamp === 'number' && Number.isSafeInteger(timestamp);
  if (!isTime || Math.abs(nowMs - timestamp) > SKEW_MS_MAX) return 10207;
  const expected = createHash('md5').update(`${appId}${appKey}${timestamp}${app.appSecret}`).digest('hex');
  return sign === expected ? undefined : 10206;
}

/** Returns the AppID as a string. It is a number in vivo's documentation, but real clients also send a string. */
export function idOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : stringOrEmpty(value).trim();
}
