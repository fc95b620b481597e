import { SignJWT } from 'jose';
import type { Outcome } from '#src/domain/outcome.ts';
import { Problem } from '#src/domain/problem.ts';
import { parseObject, readPrivateKey, requireRsaKey, requireWord, stringOrEmpty } from '../tokens/credential-checks.ts';
import { readRetryAfter, retryAfterSeconds } from '../translate/retry-after.ts';
import type {
  CertificateInput,
  CheckedCertificate,
  ProviderToken,
  TokenSource,
  VendorAccount,
  VendorResponse,
} from '../vendor.ts';

export interface FcmCredentials {
  readonly projectId: string;
  readonly accessToken: string;
}

/**
 * Returns the credentials for requests. `app_id` holds the project; the rest is in the service-account file in
 * `certificate`.
 */
export function fcmCredentials({ vendorAppId }: VendorAccount, providerToken = ''): FcmCredentials {
  return { projectId: vendorAppId, accessToken: providerToken };
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The audience of the assertion if the file has no `token_uri`. */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
/** The longest lifetime of an assertion that Google allows. */
const ASSERTION_SECONDS = 3_600;
/**
 * Minimum age at which a rejected token is renewed. Google does not limit token requests, but an account with wrong
 * credentials must not request a token for every notification.
 */
const RENEW_AFTER_SECONDS = 30;

/**
 * Returns a source that requests an access token with an assertion signed by the account's key. The URL is a setting,
 * not the file's `token_uri`, because a pasted file must not decide where Carillon's servers connect.
 */
export function fcmTokenSource({ certificate }: VendorAccount): TokenSource {
  const account = parseObject(certificate, HINT);
  const kid = stringOrEmpty(account.private_key_id);
  return {
    kind: 'requested',
    cacheKeyParts: [certificate],
    renewAfterSeconds: RENEW_AFTER_SECONDS,
    toRequest: async (now) => {
      const key = readPrivateKey(stringOrEmpty(account.private_key));
      if (!key) throw new Error('The key of the service account cannot be read.');
      const seconds = Math.floor(now.getTime() / 1_000);
      const assertion = await new SignJWT({ scope: SCOPE })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid !== '' && { kid }) })
        .setIssuer(stringOrEmpty(account.client_email))
        .setAudience(stringOrEmpty(account.token_uri) || AUDIENCE)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + ASSERTION_SECONDS)
        .sign(key);
      return {
        path: '/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString(),
      };
    },
    toToken: fcmToken,
  };
}

/**
 * Errors that an operator must fix: the account is wrong, deleted or not permitted. The last two are specific to
 * Google.
 */
const LOCKED_OUT = [
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'access_denied',
  'deleted_client',
  'disabled_client',
];
/** Google's access token must be usable in a header. */
const ACCESS_TOKEN = /^[\x21-\x7e]+$/;
const THROTTLE_SECONDS = 60;
const DESCRIPTION_CHARACTERS_MAX = 200;

function fcmToken({ status, headers, body }: VendorResponse): ProviderToken | Outcome {
  const json = readJsonOrEmpty(body);
  const token = stringOrEmpty(json.access_token);
  const lifetimeSeconds = Number(json.expires_in);
  if (status === 200 && ACCESS_TOKEN.test(token) && lifetimeSeconds > 0) return { token, lifetimeSeconds };
  const error = stringOrEmpty(json.error);
  if (LOCKED_OUT.includes(error)) {
    // Google's description names the cause, such as "Invalid JWT Signature" or a wrong clock.
    const description = stringOrEmpty(json.error_description).slice(0, DESCRIPTION_CHARACTERS_MAX);
    return { kind: 'locked-out', reason: description === '' ? error : `${error}: ${description}` };
  }
  const seconds = status === 429 ? retryAfterSeconds(headers, THROTTLE_SECONDS) : readRetryAfter(headers);
  if ((status === 429 || status === 503) && seconds !== undefined)
    return { kind: 'throttled', retryAfterSeconds: seconds, account: true };
  return { kind: 'unreachable', reason: `no access token: ${error || `HTTP ${status}`}` };
}

function readJsonOrEmpty(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const HINT = 'certificate must be the complete JSON of a Firebase service-account file.';

/** Checks FCM credentials. The service-account file from the Firebase console contains all of them. */
export function checkFcmCertificate({ vendorAppId, certificate }: CertificateInput): CheckedCertificate {
  const account = parseObject(certificate, HINT);
  if (account.type !== 'service_account')
    throw new Problem(
      'bad-parameter',
      `${HINT} Its type must be service_account; google-services.json is another file.`,
    );
  requireRsaKey(account.private_key, `${HINT} Its private_key is missing or cannot be used.`);
  const projectId = requireWord(
    stringOrEmpty(account.project_id),
    'project_id in certificate',
    'the Firebase project ID',
  );
  if (vendorAppId.trim() !== '' && vendorAppId.trim() !== projectId)
    throw new Problem(
      'bad-parameter',
      `app_id must be empty or match project_id in the service account file (${projectId}).`,
    );
  return {
    vendorAppId: projectId,
    appKey: requireWord(
      stringOrEmpty(account.client_email),
      'client_email in certificate',
      'the email address of the service account',
    ),
    appSecret: '',
    certificate,
    expiresAt: null,
  };
}
