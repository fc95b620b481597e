import { constants, verify } from 'node:crypto';
import { type AccessTokens, bearerOf } from '../kit/access-tokens.ts';
import type { HttpsRequest } from '../kit/https.ts';
import { parseObject } from '../kit/read.ts';
import { type App, type Apps, TOKEN_URI } from './apps.ts';
import type { Code } from './responses.ts';

const JWT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const DAY_SECONDS = 24 * 60 * 60;
const SALT_BYTES = 32; // as PS256 requires

/**
 * Returns the app that a bearer token belongs to, or an error code. The token is an access token from the token
 * endpoint or a JWT signed by the app's service account.
 */
export function checkBearer(
  request: HttpsRequest,
  { apps, accessTokens }: { apps: Apps; accessTokens: AccessTokens },
  nowMs: number,
): App | Code {
  const bearer = bearerOf(request.headers.authorization);
  if (bearer === undefined) return '80200001';
  const jwt = JWT.exec(bearer);
  if (jwt !== null) return checkJwt(jwt, apps, nowMs / 1000);
  const tokenCheck = accessTokens.check(bearer, nowMs);
  if (tokenCheck.kind === 'expired') return '80200003';
  return (tokenCheck.kind === 'known' ? apps.get(tokenCheck.owner) : undefined) ?? '80200001';
}

function checkJwt([, headerPart = '', claimsPart = '', signaturePart = '']: RegExpExecArray, apps: Apps, now: number) {
  const header = parseObject(Buffer.from(headerPart, 'base64url'));
  const claims = parseObject(Buffer.from(claimsPart, 'base64url'));
  const app = apps.byServiceKey(String(header?.kid));
  const account = app?.serviceAccount;
  if (header?.alg !== 'PS256' || app === undefined || account === undefined) return '80200001';
  const signedBytes = Buffer.from(`${headerPart}.${claimsPart}`);
  const key = { key: account.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: SALT_BYTES };
  if (!verify('sha256', signedBytes, key, Buffer.from(signaturePart, 'base64url'))) return '80200001';
  const { iss, aud, iat, exp } = claims ?? {};
  if (iss !== account.subAccount || aud !== TOKEN_URI) return '80200001';
  if (typeof iat !== 'number' || typeof exp !== 'number') return '80200001';
  if (exp - iat > DAY_SECONDS) return '80300036';
  return exp <= now ? '80200005' : app;
}
