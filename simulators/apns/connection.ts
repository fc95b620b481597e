import { randomUUID, type X509Certificate } from 'node:crypto';
import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Arrivals } from '../kit/arrivals.ts';
import type { Counts } from '../kit/counts.ts';
import type { Faults } from '../kit/faults.ts';
import type { Tally } from '../kit/tally.ts';
import type { Arrival } from './arrival.ts';
import type { Authenticator } from './authenticator.ts';
import { CertificateAuthenticator } from './certificate-authenticator.ts';
import type { ClientAuthority } from './client-authority.ts';
import { type Decision, decide } from './decide.ts';
import type { Devices } from './devices.ts';
import { type FaultKind, reasonOfFault } from './faults.ts';
import { type ProviderKeys, ProviderTokenAuthenticator } from './provider-token-authenticator.ts';
import { readBody } from './read-body.ts';
import { isApnsId, type PushRequest } from './request-checks.ts';
import { type Environment, reject, statusOfReason } from './responses.ts';

/** State that the connections of one environment share. */
export type ConnectionContext = {
  readonly environment: Environment;
  readonly keys: ProviderKeys;
  readonly authority: ClientAuthority;
  readonly devices: Devices;
  readonly faults: Faults<FaultKind>;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly counts: Counts<Environment>;
  readonly slowMs: number;
  readonly providerTokenWindowMs: number;
};

/**
 * Apple's stream limits, observed rather than documented: one stream until a valid token is received, then 1,000. With
 * a client certificate the limit is 1,000 from the start; the simulator sends it in a second SETTINGS frame directly
 * after the first.
 *
 * Node counts a cancelled stream slightly longer than the sender does. If a sender cancels its first stream and
 * immediately opens another, Node rejects the second stream with ENHANCE_YOUR_CALM.
 */
export const STREAMS_BEFORE_TOKEN_MAX = 1;
const STREAMS_MAX = 1000;
const STALL_MS_MAX = 10 * 60 * 1000; // longer than any sender's timeout, but bounded

/** One HTTP/2 connection: authentication, stream limit and shutdown. */
export class Connection {
  readonly #session: ServerHttp2Session;
  readonly #context: ConnectionContext;
  readonly #resetSocket: () => void;
  readonly #authenticator: Authenticator;
  #isStreamLimitRaised = false;
  #isGoingAway = false;
  #openStreams = 0;

  /** `clientCertificate` is the certificate that the sender presents, if any. */
  constructor(
    session: ServerHttp2Session,
    context: ConnectionContext,
    clientCertificate: X509Certificate | undefined,
    resetSocket: () => void,
  ) {
    const { keys, authority, environment, providerTokenWindowMs } = context;
    this.#session = session;
    this.#context = context;
    this.#resetSocket = resetSocket;
    this.#authenticator =
      clientCertificate === undefined
        ? new ProviderTokenAuthenticator(keys, environment, providerTokenWindowMs)
        : new CertificateAuthenticator(clientCertificate, authority, keys, environment);
    if (this.#authenticator.isAuthenticated) this.#raiseStreamLimit();
  }

  /**
   * Serves one stream. The fault is selected before the body is read, because streams start in the order of their ids.
   * GOAWAY then refuses exactly this stream and later ones.
   */
  async serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): Promise<void> {
    // A sender may disconnect at any time. No response is possible then, so the error is ignored.
    stream.on('error', () => {});
    if (stream.destroyed) return;
    this.#openStreams += 1;
    stream.once('close', () => this.#onStreamClosed());
    if (this.#isGoingAway) return;
    const { environment, faults, counts } = this.#context;
    const fault = faults.take(environment, Date.now())?.kind;
    if (fault === 'goaway' || fault === 'reset' || fault === 'stall') counts.countRequest(environment, fault);
    if (fault === 'goaway') return this.#goAway(stream);
    if (fault === 'reset') return this.#resetSocket();
    if (fault === 'stall') return stall(stream);

    const body = await readBody(stream);
    if (body === undefined) return counts.countRequest(environment, 'gone');
    const request = {
      method: headers[':method'] ?? '',
      path: headers[':path'] ?? '',
      // Node joins repeated values of these headers into one string; only set-cookie would be a list.
      headers: headers as Record<string, string | undefined>,
      repeatedHeaders: repeatedNames(rawHeaders),
      body: body.content,
      bodyBytes: body.bytes,
    };
    this.#respond(stream, request, fault);
    if (!body.isComplete) stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #respond(stream: ServerHttp2Stream, request: PushRequest, fault: FaultKind | undefined): void {
    const { environment, devices, arrivals, tally, counts, slowMs } = this.#context;
    const requestedId = request.headers['apns-id'];
    const apnsId = requestedId !== undefined && isApnsId(requestedId) ? requestedId : randomUUID();
    const faultReason = fault === undefined ? undefined : reasonOfFault[fault];
    const decision =
      faultReason === undefined
        ? decide(request, { environment, authenticator: this.#authenticator, devices, apnsId, nowMs: Date.now() })
        : reject(faultReason);
    if (this.#authenticator.isAuthenticated) this.#raiseStreamLimit();
    // The push is delivered even if the response is late or missing. This makes a lost response ambiguous for the
    // sender.
    if (decision.kind === 'accepted') {
      arrivals.add(decision.arrival);
      tally.add(decision.arrival.collapse_id ?? undefined, decision.arrival.token);
    }

    const timing = decision.kind === 'accepted' ? decision.responseTiming : 'at-once';
    if (timing === 'never') {
      counts.countRequest(environment, 'cut');
      // With CANCEL, a Node client gets only `close` and no error, as if the peer had disappeared.
      stream.close(constants.NGHTTP2_CANCEL);
      return;
    }
    if (fault === 'truncate') counts.countRequest(environment, 'truncate');
    else counts.countRequest(environment, labelOf(decision));
    const write = () => respond(stream, environment, apnsId, decision, fault === 'truncate');
    if (timing === 'at-once') {
      write();
      return;
    }
    const timer = setTimeout(write, slowMs);
    stream.once('close', () => clearTimeout(timer));
  }

  /**
   * Updates the number of open streams. After GOAWAY, closes the session when the last stream has ended. Otherwise,
   * Node would not notice that the sender closes the connection, because it no longer reads from it.
   */
  #onStreamClosed(): void {
    this.#openStreams -= 1;
    if (this.#isGoingAway && this.#openStreams === 0) this.#session.close();
  }

  #raiseStreamLimit(): void {
    if (this.#isStreamLimitRaised || this.#session.destroyed) return;
    this.#isStreamLimitRaised = true;
    this.#session.settings({ maxConcurrentStreams: STREAMS_MAX });
  }

  /**
   * Sends GOAWAY. Earlier streams still get a response. This stream and later ones are refused without being processed,
   * so that a sender can retry them.
   */
  #goAway(stream: ServerHttp2Stream): void {
    this.#isGoingAway = true;
    const lastStreamId = Math.max(0, (stream.id ?? 0) - 2);
    this.#session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamId, Buffer.from('{"reason":"Shutdown"}'));
    // Node interprets 0 as "the newest stream", so on a new connection GOAWAY alone would not refuse the first stream.
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }
}

/** Returns the label of a decision in the request counts. */
function labelOf(decision: Decision): string {
  return decision.kind === 'refused' ? `${statusOfReason[decision.reason]} ${decision.reason}` : '200';
}

function respond(
  stream: ServerHttp2Stream,
  environment: Environment,
  apnsId: string,
  decision: Decision,
  isTruncated: boolean,
): void {
  if (stream.destroyed || stream.closed) return;
  const isRefused = decision.kind === 'refused';
  const headers: Record<string, string | number> = {
    ':status': isRefused ? statusOfReason[decision.reason] : 200,
    'apns-id': apnsId,
  };
  if (!isRefused && environment === 'sandbox') headers['apns-unique-id'] = randomUUID();
  const body = isRefused ? JSON.stringify({ reason: decision.reason, timestamp: decision.timestampMs }) : '';
  if (!isTruncated) {
    stream.respond(headers, { endStream: body === '' });
    if (body !== '') stream.end(body);
    return;
  }
  stream.respond(headers);
  // Only an error makes Node reset the stream. `close` would end it normally, and a 200 would look complete.
  const cut = () => setImmediate(() => stream.destroy(new Error('response truncated by a fault')));
  if (body === '') cut();
  else stream.write(body.slice(0, body.length / 2), cut);
}

function stall(stream: ServerHttp2Stream): void {
  stream.resume();
  stream.setTimeout(STALL_MS_MAX, () => stream.close(constants.NGHTTP2_CANCEL));
}

/** Returns the header names that occur more than once. `rawHeaders` alternates names and values. */
function repeatedNames(rawHeaders: readonly string[]): string[] {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name, index) => names.indexOf(name) !== index);
}
