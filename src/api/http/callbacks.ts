import type { FastifyInstance } from 'fastify';
import { type Vendor, vendors } from '#src/domain/channel.ts';
import { DOUBTFUL_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { parseJson } from '#src/foundation/json.ts';
import { QueueFull } from '#src/foundation/semaphore.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { ToldReceipts } from '#src/receipts/vendor-receipts.ts';
import { type CallbackSecrets, findCallback, openCallback } from '#src/storage/accounts/callbacks.ts';
import { receiptReaderOf } from '#src/vendors/sender.ts';
import type { ApiContext } from '../context.ts';
import { FreshCache } from './ttl-cache.ts';

/** A thousand receipts, with room to spare. */
const BODY_BYTES_MAX = 1024 * 1024;
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** The form of what `/admin/certificate/callback` makes: anything else is not even looked up. */
const PATH = /^[\w-]{43}$/;

interface Known extends CallbackSecrets {
  readonly appId: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** It unbinds nobody, and a person has to look. */
const SUSPICION = `${DOUBTFUL_MAX} tokens in a row are said to be dead, and nothing has arrived meanwhile. Check that the certificate is that of the app on the phones.`;

/** Whoever does not know the address learns nothing, not even that there is one. */
const NOT_FOUND: Answer = { status: 404, body: '{}' };
const NO_BODY: Answer = { status: 400, body: '{}' };
/** It shall be told again. */
const LATER: Answer = { status: 503, body: '{}' };

/**
 * `POST /callback/<vendor>/<secret>`: what vendors tell of notifications. Answered when it is committed, in the vendor's
 * own manner and not in our envelope.
 */
export function addCallbacks(server: FastifyInstance, context: ApiContext): void {
  const cache = new FreshCache<Known>(async (key) => {
    const [channel, path] = key.split('/') as [Vendor, string];
    const found = await findCallback(context.truth.home, channel, path);
    return found && { appId: found.appId, ...openCallback(context.keyring, found) };
  });
  const told = new ToldReceipts(context.truth, context.receipts);
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Some vendors call their JSON something else.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_request, text, done) => {
      done(null, text);
    });
    scope.post<{ Params: { vendor: string; secret: string } }>(
      '/callback/:vendor/:secret',
      { bodyLimit: BODY_BYTES_MAX },
      async ({ params, headers, body }, reply) => {
        const { status, body: text } = await answer({ ...context, told }, cache, params, headers, body);
        return reply.status(status).type('application/json; charset=utf-8').serializer(String).send(text);
      },
    );
  });
}

async function answer(
  { told, clock, log }: ApiContext & { readonly told: ToldReceipts },
  cache: FreshCache<Known>,
  { vendor, secret }: { vendor: string; secret: string },
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
): Promise<Answer> {
  const channel = vendors.find((name) => name === vendor);
  const reader = channel && receiptReaderOf(channel);
  if (!reader || !PATH.test(secret)) return NOT_FOUND;
  try {
    const known = await cache.get(`${channel}/${secret}`);
    if (!known) return NOT_FOUND;
    const { appId, referenceKey, userName, key } = known;
    const given = readBody(body, String(headers['content-type'] ?? ''));
    const isTrusted = key === '' || reader.isSigned?.(headers, { userName, key }, clock.now(), given);
    if (!isTrusted) {
      log.warn('callback-not-signed', { appId, channel });
      return NOT_FOUND;
    }
    const read = reader.read(given);
    if (!read) return NO_BODY;
    const { isSuspicious } = await told.record({ appId, channel, referenceKey }, read);
    if (isSuspicious) log.error('receipts-doubted', { appId, channel, reason: SUSPICION });
    return reader.reply;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof QueueFull) return LATER;
    throw error;
  }
}

/** Some tell it as JSON, whatever they call it, some as a form, whose fields are texts. */
function readBody(body: unknown, contentType: string): unknown {
  if (typeof body !== 'string') return undefined;
  if (FORM.test(contentType) && !/^\s*[{[]/.test(body)) return Object.fromEntries(new URLSearchParams(body));
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
