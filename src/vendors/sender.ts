import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome, Throttled } from '#src/domain/outcome.ts';
import { type Reach, reachBit } from '#src/domain/reach.ts';
import { accountKey } from '#src/domain/vendor-account/account-key.ts';
import { batchesOf } from './batches.ts';
import { extraHostsOf } from './check-token.ts';
import { type Connections, openConnections, sendRequest } from './connections.ts';
import { vendorMetrics } from './metrics.ts';
import { vendorRegistry } from './registry.ts';
import { type BatchOutcome, sendInParts } from './send-in-parts.ts';
import { type IssuedToken, ProviderTokens, type TokenStore, tokenName } from './tokens/provider-tokens.ts';
import { withoutSecrets } from './translate/without-secrets.ts';
import { NoResponseError } from './transport/pool.ts';
import { StallDetector } from './transport/stall-detector.ts';
import type {
  DailyQuota,
  Notification,
  TokenSource,
  Vendor,
  VendorAccount,
  VendorLimits,
  VendorOutcome,
  VendorRequest,
  VendorResponse,
} from './vendor.ts';

interface VendorChannel {
  readonly channel: VendorName;
  readonly environment: Environment;
}

/** Returns the vendors and environments that an app's notifications can be sent to. */
export function reachOfCertificates(certificates: readonly VendorChannel[]): Reach {
  return certificates.reduce((reach, { channel, environment }) => reach | reachBit(channel, environment), 0);
}

/**
 * Adds advice for the operator to a vendor's reason for rejecting an account, which is often just a number. The result
 * is stored and logged, so it is in English.
 */
export function withAdvice(name: VendorName, reason: string): string {
  const { advice } = vendorRegistry[name];
  const word = reason.match(/\w+/g)?.find((each) => Object.hasOwn(advice, each));
  return word === undefined ? reason : `${reason}: ${advice[word]?.en}`;
}

export const limitsOf = (name: VendorName): VendorLimits => vendorRegistry[name].limits;

/** Returns the daily quota of an app at a vendor. Undefined if the vendor has none for this environment. */
export function dailyQuotaOf(name: VendorName, environment: Environment): DailyQuota | undefined {
  const { dailyQuota } = vendorRegistry[name];
  return dailyQuota?.environments.includes(environment) ? dailyQuota : undefined;
}

/** Returns whether a vendor has a separate daily quota for each class of messages. */
export const hasQuotaClasses = (name: VendorName): boolean => vendorRegistry[name].quotaClass !== undefined;

/** Returns the class whose daily quota applies to a message, or an empty string if one quota covers all messages. */
export function quotaClassOf(name: VendorName, message: Message, account: VendorAccount): string {
  const vendor = vendorRegistry[name];
  return vendor.quotaClass?.(message, vendor.toCredentials(account, undefined)) ?? '';
}

/**
 * Maximum number of single requests per round. Their outcomes are stored after the round, so a crash leaves at most
 * this many requests in doubt.
 */
const CALLS_PER_ROUND = 64;

/** Returns the number of devices to send to in one round, which is at least the number that fits into one request. */
export function devicesPerRound(name: VendorName): number {
  return Math.max(vendorRegistry[name].limits.tokensPerRequest, CALLS_PER_ROUND);
}

/** The token of one device, and its notification. */
export interface VendorSend {
  readonly token: string;
  readonly notification: Notification;
}

export interface VendorSettings {
  readonly CARILLON_VENDOR_DEADLINE_SECONDS: number;
  readonly CARILLON_VENDOR_PROXY_URL: string;
  readonly CARILLON_VENDOR_PROXY_FOR: string;
  readonly CARILLON_WEBPUSH_HOSTS: string;
  /** URLs of the vendors, keyed by the setting names in `Vendor.urls`. */
  readonly [url: string]: string | number;
}

/** Data that all requests of one account share. */
interface RequestContext {
  readonly vendor: Vendor<unknown>;
  readonly account: VendorAccount;
  readonly connections: Connections;
  /** Undefined if the vendor needs no provider token. */
  readonly source: NamedTokenSource | undefined;
  readonly now: Date;
  readonly extraHosts: readonly string[];
  /** Deadline by this process's clock, including the time to obtain a provider token. */
  readonly deadlineAt: number;
}

/** A provider token's source, and the name under which the token is cached. */
type NamedTokenSource = TokenSource & { readonly name: string };

const UNUSABLE_CREDENTIALS = {
  kind: 'locked-out',
  reason: 'the stored credentials cannot be used',
} as const satisfies Outcome;

const CANNOT_RECALL = {
  kind: 'refused',
  reason: 'the credentials contain no ID for recalls',
} as const satisfies Outcome;

/**
 * Sends requests to vendors, with connections, deadlines and provider tokens. Never repeats a request that the vendor
 * may have processed.
 */
export class VendorSender {
  readonly #settings: VendorSettings;
  readonly #deadlineMs: number;
  readonly #extraHosts: readonly string[];
  readonly #tokens: ProviderTokens;
  readonly #connections = new Map<string, Connections>();
  /** Accounts that a vendor throttles, with the end of the pause by this process's clock. */
  readonly #throttledUntil = new Map<string, number>();
  readonly #stallDetector = new StallDetector();

  constructor(settings: VendorSettings, store?: TokenStore) {
    this.#settings = settings;
    this.#deadlineMs = settings.CARILLON_VENDOR_DEADLINE_SECONDS * 1_000;
    this.#extraHosts = extraHostsOf(settings);
    this.#tokens = new ProviderTokens(store);
  }

  /** Returns one outcome per send, in order. `now` is database time. */
  async send(name: VendorName, account: VendorAccount, sends: readonly VendorSend[], now: Date): Promise<Outcome[]> {
    const vendor = vendorRegistry[name];
    const key = accountKeyOf(name, account);
    const outcomes =
      this.#throttledOutcomes(key, sends) ??
      (await this.#stallDetector.track(
        key,
        Math.ceil(sends.length / tokensPerRequestOf(vendor, account)),
        this.#sendAll(vendor, account, sends, now),
        (all) => all.some(({ kind }) => kind !== 'unreachable'),
      ));
    for (const outcome of outcomes)
      if (outcome.kind === 'throttled' && outcome.account) this.#pauseUntilRetry(key, outcome);
    return outcomes;
  }

  /**
   * Returns whether the vendor accepts requests without responding. In that case, callers should postpone requests that
   * can wait.
   */
  isStalled(name: VendorName, account: Pick<VendorAccount, 'appId' | 'environment'>): boolean {
    return this.#stallDetector.isStalled(accountKeyOf(name, account));
  }

  /**
   * Recalls the notification of a task from devices, at most `tokensPerRequest`. Returns one outcome per token, in
   * order. The vendor must support recalls.
   */
  async recall(
    name: VendorName,
    account: VendorAccount,
    taskId: bigint,
    tokens: readonly string[],
    now: Date,
  ): Promise<readonly Outcome[]> {
    const { toRecallRequest, toOutcomes } = vendorRegistry[name];
    const context = toRecallRequest && this.#requestContextOf(vendorRegistry[name], account, now);
    if (!context) return tokens.map(() => UNUSABLE_CREDENTIALS);
    return sendInParts(tokens, (part) =>
      this.#withToken(context, part.length, async (credentials) => {
        const request = toRecallRequest(taskId, part, credentials);
        return request ? toOutcomes(await call(context, request), part) : part.map(() => CANNOT_RECALL);
      }),
    );
  }

  /** Checks the credentials with a request that reaches no device, and returns its outcome. */
  async check(name: VendorName, account: VendorAccount, now: Date): Promise<Outcome> {
    const vendor = vendorRegistry[name];
    const context = this.#requestContextOf(vendor, account, now);
    if (!context) return UNUSABLE_CREDENTIALS;
    const [outcome] = await this.#withToken(context, 1, async (credentials) => {
      // If the vendor has no check request, obtaining a provider token is sufficient proof.
      if (!vendor.toCheckRequest) return [{ kind: 'accepted', channelMessageId: '' }];
      return vendor.toOutcomes(await call(context, vendor.toCheckRequest(credentials, now)), ['nobody']);
    });
    return withoutSecrets([outcome as Outcome], account)[0] as Outcome;
  }

  close(): void {
    for (const { pool } of this.#connections.values()) pool.close();
  }

  async #sendAll(
    vendor: Vendor<unknown>,
    account: VendorAccount,
    sends: readonly VendorSend[],
    now: Date,
  ): Promise<Outcome[]> {
    const context = this.#requestContextOf(vendor, account, now);
    if (!context) return sends.map(() => UNUSABLE_CREDENTIALS);
    const outcomes = new Array<Outcome>(sends.length);
    await Promise.all(
      batchesOf(sends, tokensPerRequestOf(vendor, account)).map(async (indexes) => {
        const tokens = indexes.map((index) => (sends[index] as VendorSend).token);
        const { notification } = sends[indexes[0] as number] as VendorSend;
        const batchOutcomes = await sendInParts(tokens, (part) =>
          this.#withToken(context, part.length, (credentials) => sendBatch(context, notification, part, credentials)),
        );
        indexes.forEach((index, i) => {
          outcomes[index] = batchOutcomes[i] as Outcome;
        });
      }),
    );
    return withoutSecrets(
      outcomes,
      account,
      sends.map(({ token }) => token),
    );
  }

  /**
   * Returns undefined if the key or certificate cannot be used. The error is discarded, because it may contain the key.
   */
  #requestContextOf(vendor: Vendor<unknown>, account: VendorAccount, now: Date): RequestContext | undefined {
    try {
      const connections = this.#connectionsOf(vendor, account, 'send');
      const tokenSource = vendor.tokenSource(account, now);
      const source = tokenSource && { ...tokenSource, name: tokenName(vendor.name, tokenSource) };
      const deadlineAt = performance.now() + this.#deadlineMs;
      return { vendor, account, connections, source, now, extraHosts: this.#extraHosts, deadlineAt };
    } catch {
      return undefined;
    }
  }

  /** Makes a call with the provider token. If the vendor rejects the token, repeats the call once with a new token. */
  async #withToken(
    context: RequestContext,
    tokenCount: number,
    call: (credentials: unknown) => Promise<readonly VendorOutcome[]>,
  ): Promise<readonly BatchOutcome[]> {
    const { vendor, account, source, now } = context;
    const forEveryToken = (outcome: Outcome) => new Array<Outcome>(tokenCount).fill(outcome);
    for (let isRetry = false; ; isRetry = true) {
      const token = source && (await this.#providerTokenOf(context, source));
      if (token && 'kind' in token) return forEveryToken(token);
      let outcomes: readonly VendorOutcome[];
      try {
        outcomes = await call(vendor.toCredentials(account, token?.token));
      } catch (error) {
        if (!(error instanceof NoResponseError)) throw error;
        // Tokens with a URL belong to different servers, so one of them does not show whether the others respond.
        const outcome = { kind: 'unreachable', reason: error.message } as const;
        return forEveryToken(vendor.tokenEndpoint ? { ...outcome, device: true } : outcome);
      }
      const staleOutcome = outcomes.find((outcome) => outcome.kind === 'stale-token');
      if (!staleOutcome) return outcomes as readonly BatchOutcome[];
      const isRenewable = token && now.getTime() - token.madeAt.getTime() >= (source?.renewAfterSeconds ?? 0) * 1_000;
      if (isRetry || !isRenewable || !source) return forEveryToken({ kind: 'locked-out', reason: staleOutcome.reason });
      await this.#tokens.invalidate(source.name, token);
    }
  }

  #providerTokenOf(context: RequestContext, source: NamedTokenSource): Promise<IssuedToken | Outcome> {
    const { vendor, account, now } = context;
    const tokenPromise = this.#tokens.get(source.name, now, async () => {
      try {
        if (source.kind === 'signed') return await source.sign(now);
        const connections = this.#connectionsOf(vendor, account, 'token');
        return source.toToken(await call({ ...context, connections }, await source.toRequest(now)));
      } catch (error) {
        return error instanceof NoResponseError ? { kind: 'unreachable', reason: error.message } : UNUSABLE_CREDENTIALS;
      }
    });
    return withDeadline(tokenPromise, context.deadlineAt);
  }

  /**
   * Returns the connections of one account. Accounts never share a connection, because vendors bind a connection to the
   * first credentials that they receive on it.
   */
  #connectionsOf(vendor: Vendor<unknown>, account: VendorAccount, purpose: 'send' | 'token'): Connections {
    const key = `${purpose} ${accountKeyOf(vendor.name, account)}`;
    const existing = this.#connections.get(key);
    if (existing?.version === account.version) {
      this.#connections.delete(key); // moved to the end, because the least recently used entry is retired first
      this.#connections.set(key, existing);
      return existing;
    }
    const setting = purpose === 'send' ? vendor.urls.send[account.environment] : (vendor.urls.token as string);
    const urls = { url: String(this.#settings[setting] ?? ''), proxyUrl: this.#proxyFor(vendor.name) };
    const connections = openConnections(vendor, account, purpose, urls);
    existing?.pool.retire(); // the credentials were saved again
    this.#connections.set(key, connections);
    if (this.#connections.size > ACCOUNTS_MAX) this.#retireOldest();
    return connections;
  }

  #retireOldest(): void {
    const [[key, { pool }]] = this.#connections as unknown as [[string, Connections]];
    this.#connections.delete(key);
    pool.retire();
  }

  #proxyFor(name: VendorName): string | undefined {
    const { CARILLON_VENDOR_PROXY_URL: url, CARILLON_VENDOR_PROXY_FOR: proxiedVendors } = this.#settings;
    const names = proxiedVendors.split(/[\s,]+/).filter(Boolean);
    return url !== '' && (names.length === 0 || names.includes(name)) ? url : undefined;
  }

  #throttledOutcomes(key: string, sends: readonly VendorSend[]): Outcome[] | undefined {
    const remainingMs = (this.#throttledUntil.get(key) ?? 0) - performance.now();
    if (remainingMs <= 0) {
      this.#throttledUntil.delete(key);
      return undefined;
    }
    return sends.map(() => ({ kind: 'throttled', retryAfterSeconds: Math.ceil(remainingMs / 1_000) }));
  }

  #pauseUntilRetry(key: string, { retryAfterSeconds }: Throttled): void {
    const until = performance.now() + Math.min(retryAfterSeconds, THROTTLE_SECONDS_MAX) * 1_000;
    this.#throttledUntil.set(key, Math.max(this.#throttledUntil.get(key) ?? 0, until));
  }
}

/**
 * Maximum number of accounts with open connections. It is higher than the number of accounts that one worker serves at
 * a time. An evicted account reconnects.
 */
const ACCOUNTS_MAX = 2_000;

/**
 * Maximum pause of a throttled account, even if the vendor requests a longer one. After the pause, each worker sends
 * one round, and the vendor can throttle the account again.
 */
const THROTTLE_SECONDS_MAX = 60;

const accountKeyOf = (channel: VendorName, { appId, environment }: Pick<VendorAccount, 'appId' | 'environment'>) =>
  accountKey({ appId, channel, environment });

async function sendBatch(
  context: RequestContext,
  notification: Notification,
  tokens: readonly string[],
  credentials: unknown,
): Promise<readonly VendorOutcome[]> {
  const { vendor, now, extraHosts } = context;
  const [token = ''] = tokens;
  // The operator may have removed the host from the setting since the token was bound.
  const endpoint = vendor.tokenEndpoint?.read(token, extraHosts);
  if (endpoint && 'reason' in endpoint) return [{ kind: 'refused', reason: endpoint.reason }];
  let preparedId: string | undefined;
  if (vendor.prepare && tokens.length > 1) {
    const response = await call(context, vendor.prepare.toRequest(notification, credentials, now));
    const idOrOutcome = vendor.prepare.toPreparedId(response);
    if (typeof idOrOutcome !== 'string') return tokens.map(() => idOrOutcome);
    preparedId = idOrOutcome;
  }
  const response = await call(context, vendor.toRequest(notification, tokens, credentials, now, preparedId));
  return vendor.toOutcomes(response, tokens, preparedId);
}

async function call(
  { vendor, connections, deadlineAt }: RequestContext,
  request: VendorRequest,
): Promise<VendorResponse> {
  const startedMs = performance.now();
  return sendRequest(connections, request, deadlineAt).finally(() => {
    vendorMetrics.vendorSeconds.observeSince(startedMs, vendor.name);
  });
}

/** Limits the wait for a token, because another caller may be obtaining it with a later deadline. */
async function withDeadline(
  tokenPromise: Promise<IssuedToken | Outcome>,
  deadlineAt: number,
): Promise<IssuedToken | Outcome> {
  const { promise: timedOut, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(
    () => resolve({ kind: 'unreachable', reason: 'no provider token in time' }),
    deadlineAt - performance.now(),
  );
  return Promise.race([tokenPromise, timedOut]).finally(() => clearTimeout(timer));
}

const tokensPerRequestOf = ({ limits }: Vendor<unknown>, { environment }: VendorAccount): number =>
  (environment === 0 ? limits.tokensPerTestRequest : undefined) ?? limits.tokensPerRequest;
