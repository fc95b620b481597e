import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Pool } from 'undici';
import type { Message } from '#src/domain/message.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { Vendor, VendorAccount, VendorRequest } from '#src/vendors/vendor.ts';

// The baseline of the vendors bench, in a separate process: the client library in a loop, with requests that differ
// only in their tokens. It does no planning, recording, timing or counting.

export interface SendCommand {
  readonly vendor: 'apns' | 'fcm' | 'huawei';
  readonly account: VendorAccount;
  readonly sendUrl: string;
  readonly tokenUrl: string;
  readonly message: Message;
  /** Numbers of the first and the last device to send to. */
  readonly first: number;
  readonly last: number;
}

/** The limit on concurrent streams in Carillon's connection pool. */
const STREAMS_MAX = 500;
/** Number of concurrent requests, equal to the number of bulk rounds that a worker runs concurrently. */
const BATCHES_AT_A_TIME = 8;
const PLACEHOLDER = 'TOKEN';
const NOT_AFTER_MS = 3_600_000;

/** A request template with a placeholder for the vendor token, and the function that sends it to a list of tokens. */
interface VendorConnection {
  readonly template: VendorRequest;
  readonly send: (template: VendorRequest, tokens: readonly string[]) => Promise<void>;
}

const vendorConnections = new Map<string, Promise<VendorConnection>>();

process.on('disconnect', () => process.exit());
process.on('message', (command: SendCommand) => {
  void run(command).then(() => process.send?.({}));
});
process.send?.({});

async function run(command: SendCommand): Promise<void> {
  let connection = vendorConnections.get(command.vendor);
  if (!connection) {
    connection = open(command);
    vendorConnections.set(command.vendor, connection);
  }
  const { template, send } = await connection;
  const tokens = Array.from({ length: command.last - command.first + 1 }, (_, i) => `live-device-${command.first + i}`);
  await send(template, tokens);
}

async function open({ vendor: name, account, sendUrl, tokenUrl, message }: SendCommand): Promise<VendorConnection> {
  const vendor = vendorRegistry[name];
  const now = new Date();
  const credentials = vendor.toCredentials(account, await providerToken(vendor, account, tokenUrl, now));
  const notification = {
    taskId: 4_503_599_627_370_497n,
    deviceId: 64n,
    reference: '4503599627370497.63.123456',
    message,
    badge: 1,
    notAfter: new Date(now.getTime() + NOT_AFTER_MS),
  };
  const template = vendor.toRequest(notification, [PLACEHOLDER], credentials, now);
  if (vendor.http === 1) {
    const pool = new Pool(sendUrl, { connections: BATCHES_AT_A_TIME, allowH2: false });
    return { template, send: (request, tokens) => sendBatches(pool, vendor.limits.tokensPerRequest, request, tokens) };
  }
  const session = connect(sendUrl);
  await once(session, 'remoteSettings');
  if (vendor.startsWithOneStream) await post(session, template, 'live-first');
  return { template, send: (request, tokens) => sendStreams(session, request, tokens) };
}

async function providerToken(vendor: Vendor<unknown>, account: VendorAccount, tokenUrl: string, now: Date) {
  const source = vendor.tokenSource(account, now);
  if (!source) return undefined;
  if (source.kind === 'signed') return (await source.sign(now)).token;
  const { path, headers, body } = await source.toRequest(now);
  const response = await fetch(`${tokenUrl}${path}`, { method: 'POST', headers, body });
  const parsed = source.toToken({ status: response.status, headers: {}, body: await response.text() });
  if ('kind' in parsed) throw new Error(`${vendor.name} did not issue a provider token.`);
  return parsed.token;
}

async function sendStreams(session: ClientHttp2Session, template: VendorRequest, tokens: readonly string[]) {
  const streams = Math.min(STREAMS_MAX, session.remoteSettings.maxConcurrentStreams ?? STREAMS_MAX);
  await runConcurrently(streams, tokens, (token) => post(session, template, token));
}

async function post(session: ClientHttp2Session, { path, headers, body }: VendorRequest, token: string) {
  const stream = session.request({ ':method': 'POST', ':path': path.replace(PLACEHOLDER, token), ...headers });
  const closed = Promise.withResolvers<void>();
  let status: number | undefined;
  stream.on('response', (received) => {
    status = received[':status'];
  });
  stream.on('close', closed.resolve);
  stream.resume();
  stream.end(body.replace(PLACEHOLDER, token));
  await closed.promise;
  if (status !== 200) throw new Error(`The vendor returned ${status}.`);
}

async function sendBatches(
  pool: Pool,
  size: number,
  { path, headers, body }: VendorRequest,
  tokens: readonly string[],
) {
  const batches = Array.from({ length: Math.ceil(tokens.length / size) }, (_, i) =>
    tokens.slice(i * size, (i + 1) * size),
  );
  await runConcurrently(BATCHES_AT_A_TIME, batches, async (batch) => {
    const batchBody = body.replace(`["${PLACEHOLDER}"]`, JSON.stringify(batch));
    const response = await pool.request({ path, method: 'POST', headers, body: batchBody });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`The vendor returned ${response.statusCode}.`);
  });
}

async function runConcurrently<T>(count: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const loop = async () => {
    for (let n = next++; n < items.length; n = next++) await work(items[n] as T);
  };
  await Promise.all(Array.from({ length: count }, loop));
}
