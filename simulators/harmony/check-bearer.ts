import { constants, verify } from 'node:crypto';
import { bearerOf } from '../kit/access-tokens.ts';
import type { HttpsRequest } from '../kit/https.ts';
import { parseObject } from '../kit/read.ts';
import { type App, type Apps, TOKEN_URI } from './apps.ts';
import type { Code } from './responses.ts';

const JWT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const DAY_SECONDS = 24 * 60 * 60;
const SALT_BYTES = 32; // as PS256 requires

/**
 * Returns the app whose service account signed the JWT, or an error code. An access token from the OAuth service is not
 * a JWT and is rejected.
 */
export function checkBearer(request: HttpsRequest, apps: Apps, nowMs: number): App | Code {
  const jwt = JWT.exec(bearerOf(request.headers.authorization) ?? '');
  return jwt === null ? '80200001' : checkJwt(jwt, apps, nowMs / 1000);
}

function checkJwt([, headerPart = '', claimsPart = '', signaturePart = '']: RegExpExecArray, apps: Apps, now: number) {
  const header = parseObject(Buffer.from(headerPart, 'base64url'));
  const claims = parseObject(Buffer.from(claimsPart, 'base64url'));
  const app = apps.byServiceKey(String(header?.kid));
  if (header?.alg !== 'PS256' || app === undefined) return '80200001';
  const { publicKey, subAccount } = app.serviceAccount;
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: SALT_BYTES };
  const signedBytes = Buffer.from(`${headerPart}.${claimsPart}`);
  if (!verify('sha256', signedBytes, key, Buffer.from(signaturePart, 'base64url'))) return '80200001';
  const { iss, aud, iat, exp } = claims ?? {};
  if (iss !== subAccount || aud !== TOKEN_URI) return '80200001';
  if (typeof iat !== 'number' || typeof exp !== 'number') return '80200001';
  if (exp - iat > DAY_SECONDS) return '80300036';
  return exp <= now ? '80200005' : app;
}
