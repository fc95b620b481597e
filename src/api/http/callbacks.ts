import type { FastifyInstance } from 'fastify';
import { type VendorName, vendorNames } from '#src/domain/channel.ts';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { parseJson } from '#src/foundation/json.ts';
import { QueueFull } from '#src/foundation/semaphore.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { LastReceipts } from '#src/receipts/last-receipts.ts';
import { VendorReceipts } from '#src/receipts/vendor-receipts.ts';
import { type CallbackSecrets, claimSignature, findCallback, openCallback } from '#src/storage/accounts/callbacks.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { ApiContext } from '../context.ts';
import { TtlCache } from './ttl-cache.ts';

/** Maximum size of a callback body, enough for more than a thousand receipts. */
const BODY_BYTES_MAX = 1024 * 1024;
const FORM_CONTENT_TYPE = /^application\/x-www-form-urlencoded\b/i;
/** Format of the secrets that `/admin/certificate/callback` generates. Other values are rejected without a query. */
const CALLBACK_SECRET = /^[\w-]{43}$/;

interface AppCallback extends CallbackSecrets {
  readonly appId: string;
}

interface CallbackResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Logged if receipts report too many suspect tokens in a row. The tokens stay bound, and an operator must check the
 * credentials.
 */
const SUSPECT_TOKENS_REASON = `The tokens of ${SUSPECT_USERS_MAX} users in a row were reported as dead, and no notification was delivered in between. Check that the credentials belong to the app on the devices.`;

/**
 * A wrong secret or signature gets the same response as an unknown path, so that a caller cannot find out which
 * callbacks exist.
 */
const NOT_FOUND: CallbackResponse = { status: 404, body: '{}' };
const BAD_REQUEST: CallbackResponse = { status: 400, body: '{}' };
/** Makes the vendor send the callback again later. */
const RETRY_LATER: CallbackResponse = { status: 503, body: '{}' };

/**
 * Adds `POST /callback/<vendor>/<secret>`, which receives the vendors' receipts. The response is sent after the
 * receipts are committed, in the vendor's format instead of the API envelope.
 */
export function addCallbacks(server: FastifyInstance, context: ApiContext): void {
  const cache = new TtlCache<AppCallback>(async (key) => {
    const [channel, path] = key.split('/') as [VendorName, string];
    const callback = await findCallback(context.storage.home, channel, path);
    return callback && { appId: callback.appId, ...openCallback(context.keyrings.callbacks, callback) };
  });
  const vendorReceipts = new VendorReceipts(context.storage, context.receipts);
  const lastReceipts = new LastReceipts(context.storage.home, context.log);
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Some vendors send JSON with another content type.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_request, text, done) => {
      done(null, text);
    });
    scope.post<{ Params: { vendor: string; secret: string } }>(
      '/callback/:vendor/:secret',
      { bodyLimit: BODY_BYTES_MAX },
      async ({ params, headers, body }, reply) => {
        const { status, body: text } = await handleCallback(
          { ...context, vendorReceipts, lastReceipts },
          cache,
          params,
          headers,
          body,
        );
        return reply.status(status).type('application/json; charset=utf-8').serializer(String).send(text);
      },
    );
  });
}

interface CallbackContext extends ApiContext {
  readonly vendorReceipts: VendorReceipts;
  readonly lastReceipts: LastReceipts;
}

async function handleCallback(
  { storage, vendorReceipts, lastReceipts, clock, log }: CallbackContext,
  cache: TtlCache<AppCallback>,
  { vendor, secret }: { vendor: string; secret: string },
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
): Promise<CallbackResponse> {
  const channel = vendorNames.find((name) => name === vendor);
  const reader = channel && vendorRegistry[channel].receipts;
  if (!reader || !CALLBACK_SECRET.test(secret)) return NOT_FOUND;
  try {
    const callback = await cache.get(`${channel}/${secret}`);
    if (!callback) return NOT_FOUND;
    const { appId, referenceKey, userName, key } = callback;
    const parsedBody = readBody(body, String(headers['content-type'] ?? ''));
    const isTrusted = key === '' || reader.isSigned?.(headers, { userName, key }, clock.now(), parsedBody);
    if (!isTrusted) {
      log.warn('callback-not-signed', { appId, channel });
      return NOT_FOUND;
    }
    const receipts = reader.read(parsedBody);
    if (!receipts) return BAD_REQUEST;
    const signature = key === '' ? undefined : reader.signatureOf?.(headers);
    // The signature does not cover the body, so a recorded one could be sent with forged receipts.
    if (signature && !(await claimSignature(storage.home, { appId, channel }, signature, String(body)))) {
      log.warn('callback-replayed', { appId, channel });
      return NOT_FOUND;
    }
    const { hasMatches, isSuspicious } = await vendorReceipts.record({ appId, channel, referenceKey }, receipts);
    if (hasMatches) lastReceipts.record({ appId, channel, at: clock.now() });
    if (isSuspicious) log.error('receipts-suspect', { appId, channel, reason: SUSPECT_TOKENS_REASON });
    return reader.response;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof QueueFull) return RETRY_LATER;
    throw error;
  }
}

/**
 * Parses a body as a form with string values if its content type is a form and it does not look like JSON, and as JSON
 * otherwise. Returns undefined if the body cannot be parsed.
 */
function readBody(body: unknown, contentType: string): unknown {
  if (typeof body !== 'string') return undefined;
  if (FORM_CONTENT_TYPE.test(contentType) && !/^\s*[{[]/.test(body))
    return Object.fromEntries(new URLSearchParams(body));
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
