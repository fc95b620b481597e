import { createHash } from 'node:crypto';
import type { Outcome } from '#src/domain/outcome.ts';
import { Problem } from '#src/domain/problem.ts';
import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { checkOptions, oneOf, readOptions, requireWord, text, textOf } from '../tokens/credential-checks.ts';
import { codeOf, isObject, readJsonObject } from '../translate/response-values.ts';
import type { ProviderToken, TokenSource, VendorAccount, VendorReply, VendorRequest } from '../vendor.ts';
import { oppoOutcome } from './outcomes.ts';

export interface OppoCredentials {
  readonly authToken: string;
  /** For messages that do not say their own. */
  readonly channelId: string | undefined;
  readonly category: string | undefined;
  /** How loud messages of the certificate's category are. */
  readonly notifyLevel: number | undefined;
}

/** From the moment it was made. */
const LIFE_SECONDS = 24 * 3_600;
/** A token that is refused when it is so young is not too old. OPPO bounds how often one may ask, and does not say how. */
const RENEW_AFTER_SECONDS = 60;
/** It becomes a field of a form. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

export function oppoTokenSource({ appKey, appSecret, certificate }: VendorAccount): TokenSource {
  readOptions(certificate); // throws when it cannot be read
  return {
    kind: 'asked',
    madeFrom: [appKey, appSecret],
    renewAfterSeconds: RENEW_AFTER_SECONDS,
    toRequest: async (now) => authRequest(appKey, appSecret, now),
    toToken: grantedToken,
  };
}

export function oppoCredentials({ certificate }: VendorAccount, providerToken: string | undefined): OppoCredentials {
  const { channel_id, category, notify_level } = readOptions(certificate);
  return {
    authToken: providerToken ?? '',
    channelId: textOf(channel_id) || undefined,
    category: textOf(category) || undefined,
    notifyLevel: typeof notify_level === 'number' ? notify_level : undefined,
  };
}

/** The time is signed with the secret, and may be ten minutes from OPPO's own. */
function authRequest(appKey: string, masterSecret: string, now: Date): VendorRequest {
  const timestamp = now.getTime().toString();
  const sign = createHash('sha256').update(`${appKey}${timestamp}${masterSecret}`).digest('hex');
  return {
    path: '/server/v1/auth',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: new URLSearchParams({ app_key: appKey, timestamp, sign }).toString(),
  };
}

function grantedToken(reply: VendorReply): ProviderToken | Outcome {
  const answer = readJsonObject(reply.body) ?? {};
  const token = isObject(answer.data) ? answer.data.auth_token : undefined;
  if (codeOf(answer.code) === '0' && typeof token === 'string' && TOKEN.test(token))
    return { token, lifeSeconds: LIFE_SECONDS };
  const outcome = oppoOutcome(reply, codeOf(answer.code), new Date());
  if (outcome.kind === 'throttled' || outcome.kind === 'quota-spent') return outcome;
  const reason = `no token: ${'reason' in outcome ? outcome.reason : 'there is none in the answer'}`;
  // Whatever else OPPO does not like about so small a request is wrong with the credentials, or with the clock.
  return { kind: ['refused', 'locked-out'].includes(outcome.kind) ? 'locked-out' : 'unreachable', reason };
}

/** OPPO issues two secrets: the MasterSecret is our server's, the AppSecret belongs into the app on the phone. */
export function checkOppo(given: GivenCertificate): CheckedCertificate {
  const masterSecret = requireWord(given.appSecret, 'app_secret', "OPPO's MasterSecret, not the AppSecret");
  const certificate = checkOptions(given.certificate, {
    app_secret: text,
    channel_id: text,
    category: text,
    notify_level: oneOf(1, 2, 16),
  });
  // Every phone is told the AppSecret, so whoever confuses the two would hand out the server's.
  if (oppoClientSecret(certificate) === masterSecret)
    throw new Problem(
      'bad-parameter',
      "app_secret must be OPPO's MasterSecret, and app_secret in the JSON of certificate the AppSecret: here they are the same.",
    );
  return {
    vendorAppId: requireWord(given.vendorAppId, 'app_id', "OPPO's AppID"),
    appKey: requireWord(given.appKey, 'app_key', "OPPO's AppKey"),
    appSecret: masterSecret,
    certificate,
    expiresAt: null,
  };
}

/** Of a certificate that was checked when it was saved. */
export function oppoClientSecret(certificate: string): string {
  return textOf(readOptions(certificate).app_secret).trim();
}
