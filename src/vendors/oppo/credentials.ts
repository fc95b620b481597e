import { createHash } from 'node:crypto';
import type { Outcome } from '#src/domain/outcome.ts';
import { Problem } from '#src/domain/problem.ts';
import {
  checkOptions,
  oneOfOption,
  readOptions,
  requireWord,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import { codeOf, isObject, readJsonObject } from '../translate/response-values.ts';
import type {
  CertificateInput,
  CheckedCertificate,
  ProviderToken,
  TokenSource,
  VendorAccount,
  VendorRequest,
  VendorResponse,
} from '../vendor.ts';
import { oppoOutcome } from './outcomes.ts';

export interface OppoCredentials {
  readonly authToken: string;
  /** Defaults for messages that do not set a channel or a category. */
  readonly channelId: string | undefined;
  readonly category: string | undefined;
  /** Notification level of messages with the category of the credentials. */
  readonly notifyLevel: number | undefined;
}

/** Lifetime of a token, counted from its creation. */
const TOKEN_LIFETIME_SECONDS = 24 * 3_600;
/**
 * If OPPO rejects a token before this age, the token has not expired, so the credentials are wrong. OPPO limits token
 * requests, but does not document the limit.
 */
const RENEW_AFTER_SECONDS = 60;
/** Format of a token, which is sent as a form field. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export function oppoTokenSource({ appKey, appSecret, certificate }: VendorAccount): TokenSource {
  readOptions(certificate); // throws if the credentials cannot be read
  return {
    kind: 'requested',
    cacheKeyParts: [appKey, appSecret],
    renewAfterSeconds: RENEW_AFTER_SECONDS,
    toRequest: async (now) => authRequest(appKey, appSecret, now),
    toToken: readTokenResponse,
  };
}

export function oppoCredentials({ certificate }: VendorAccount, providerToken: string | undefined): OppoCredentials {
  const { channel_id, category, notify_level } = readOptions(certificate);
  return {
    authToken: providerToken ?? '',
    channelId: stringOrEmpty(channel_id) || undefined,
    category: stringOrEmpty(category) || undefined,
    notifyLevel: typeof notify_level === 'number' ? notify_level : undefined,
  };
}

/** Returns the request for a token. The signed time may differ from OPPO's clock by up to ten minutes. */
function authRequest(appKey: string, masterSecret: string, now: Date): VendorRequest {
  const timestamp = now.getTime().toString();
  const sign = createHash('sha256').update(`${appKey}${timestamp}${masterSecret}`).digest('hex');
  return {
    path: '/server/v1/auth',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: new URLSearchParams({ app_key: appKey, timestamp, sign }).toString(),
  };
}

function readTokenResponse(response: VendorResponse): ProviderToken | Outcome {
  const json = readJsonObject(response.body) ?? {};
  const token = isObject(json.data) ? json.data.auth_token : undefined;
  if (codeOf(json.code) === '0' && typeof token === 'string' && TOKEN.test(token))
    return { token, lifetimeSeconds: TOKEN_LIFETIME_SECONDS };
  const outcome = oppoOutcome(response, codeOf(json.code), new Date());
  if (outcome.kind === 'throttled' || outcome.kind === 'quota-spent') return outcome;
  const reason = `no token: ${'reason' in outcome ? outcome.reason : 'the response contains none'}`;
  // Any other rejection of this small request means that the credentials or the clock are wrong.
  return { kind: ['refused', 'locked-out'].includes(outcome.kind) ? 'locked-out' : 'unreachable', reason };
}

/**
 * Checks OPPO's credentials. OPPO issues two secrets: the MasterSecret is for the server, the AppSecret for the app on
 * the phone.
 */
export function checkOppoCertificate(input: CertificateInput): CheckedCertificate {
  const masterSecret = requireWord(input.appSecret, 'app_secret', "OPPO's MasterSecret, not the AppSecret");
  const certificate = checkOptions(input.certificate, {
    app_secret: stringOption,
    channel_id: stringOption,
    category: stringOption,
    notify_level: oneOfOption(1, 2, 16),
  });
  // Every device receives the AppSecret, so confusing the two would publish the secret of the server.
  if (oppoClientSecret(certificate) === masterSecret)
    throw new Problem(
      'bad-parameter',
      "app_secret and app_secret in the JSON of certificate are the same. The first must be OPPO's MasterSecret, the second the AppSecret.",
    );
  return {
    vendorAppId: requireWord(input.vendorAppId, 'app_id', "OPPO's AppID"),
    appKey: requireWord(input.appKey, 'app_key', "OPPO's AppKey"),
    appSecret: masterSecret,
    certificate,
    expiresAt: null,
  };
}

/** Returns the AppSecret from credentials that were checked when they were saved. */
export function oppoClientSecret(certificate: string): string {
  return stringOrEmpty(readOptions(certificate).app_secret).trim();
}
