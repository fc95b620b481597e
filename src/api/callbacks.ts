import type { FastifyInstance } from 'fastify';
import { receiptReaderOf } from '#src/channels/vendors/send.ts';
import { type Vendor, vendors } from '#src/domain/channel.ts';
import { DOUBTFUL_MAX } from '#src/domain/doubt.ts';
import { Batch } from '#src/foundation/batch.ts';
import { parseJson } from '#src/foundation/json.ts';
import { QueueFull } from '#src/foundation/semaphore.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { DoubtedReceipts } from '#src/receipts/doubted-receipts.ts';
import { type DeadByReceipt, recordTold, type Told } from '#src/receipts/told.ts';
import { type CallbackSecrets, findCallback, openCallback } from '#src/truth/callbacks.ts';
import type { ApiContext } from './context.ts';
import { FreshCache } from './fresh-cache.ts';

/** A thousand receipts, with room to spare. */
const BODY_BYTES_MAX = 1024 * 1024;
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** The form of what `/admin/certificate/callback` makes: anything else is not even looked up. */
const PATH = /^[\w-]{43}$/;

/** How many receipts are recorded at once. */
const RECEIPTS_PER_READ_MAX = 2_000;
/** Above this, of one app and vendor, whoever tells more shall tell it again later. */
const RECEIPTS_WAITING_MAX = 50_000;

interface Known extends Pick<CallbackSecrets, 'userName' | 'key'> {
  readonly appId: string;
  /** What is told at the same time is recorded together: some vendors make a call for each phone. */
  readonly recording: Batch<Told, undefined>;
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
  const doubts = new DoubtedReceipts<DeadByReceipt>();
  const cache = new FreshCache<Known>(async (key) => {
    const [channel, path] = key.split('/') as [Vendor, string];
    const found = await findCallback(context.truth.home, channel, path);
    if (!found) return undefined;
    const { referenceKey, userName, key: signedWith } = openCallback(context.keyring, found);
    const recording = record({ ...context, doubts }, { appId: found.appId, channel, referenceKey });
    return { appId: found.appId, userName, key: signedWith, recording };
  });
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
        const { status, body: text } = await answer(context, cache, params, headers, body);
        return reply.status(status).type('application/json; charset=utf-8').serializer(String).send(text);
      },
    );
  });
}

function record(
  { truth, receipts, doubts, log }: ApiContext & { readonly doubts: DoubtedReceipts<DeadByReceipt> },
  vendor: { readonly appId: string; readonly channel: Vendor; readonly referenceKey: string },
): Batch<Told, undefined> {
  return new Batch({
    sizeMax: RECEIPTS_PER_READ_MAX,
    queueMax: RECEIPTS_WAITING_MAX,
    run: async (told) => {
      const { isSuspicious } = await recordTold({ truth, receipts, doubts }, vendor, told);
      const { appId, channel } = vendor;
      if (isSuspicious) log.error('receipts-doubted', { appId, channel, reason: SUSPICION });
      return told.map(() => undefined);
    },
  });
}

async function answer(
  { clock, log }: ApiContext,
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
    const { appId, userName, key, recording } = known;
    const given = readBody(body, String(headers['content-type'] ?? ''));
    const isTrusted = key === '' || reader.isSigned?.(headers, { userName, key }, clock.now(), given);
    if (!isTrusted) {
      log.warn('callback-not-signed', { appId, channel });
      return NOT_FOUND;
    }
    const told = reader.read(given);
    if (!told) return NO_BODY;
    await Promise.all(told.map((one) => recording.add(one)));
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
