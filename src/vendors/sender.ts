import type { Environment, Vendor as VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome, Throttled } from '#src/domain/outcome.ts';
import { type Reach, reachBit } from '#src/domain/reach.ts';
import { channelMetrics } from './metrics.ts';
import { everyVendor } from './registry.ts';
import { type KeptToken, ProviderTokens, type TokenStore, tokenName } from './tokens/provider-tokens.ts';
import type { ReceiptReader } from './translate/receipt.ts';
import { Http1Pool } from './transport/http1-pool.ts';
import { Http2Pool } from './transport/http2-pool.ts';
import { NoAnswer, type Pool } from './transport/pool.ts';
import { Silence } from './transport/stall-detector.ts';
import type {
  Notification,
  TokenSource,
  Vendor,
  VendorAccount,
  VendorLimits,
  VendorOutcome,
  VendorReply,
  VendorRequest,
} from './vendor.ts';

interface Certified {
  readonly channel: VendorName;
  readonly environment: Environment;
}

/** Where an app's notifications can go out: a certificate for a vendor that we do not speak to is of no use yet. */
export function certifiedReach(certificates: readonly Certified[]): Reach {
  return certificates
    .filter(({ channel }) => everyVendor[channel] !== undefined)
    .reduce((reach, { channel, environment }) => reach | reachBit(channel, environment), 0);
}

/** What a vendor would cut off a message, a sentence each. */
export function cutsOf(name: VendorName, message: Message): string[] {
  return everyVendor[name]?.cuts(message) ?? [];
}

/** What a vendor would demote or cap of a message that goes out with an account's settings, a sentence each. */
export function demotionsOf(name: VendorName, message: Message, account: VendorAccount): string[] {
  const vendor = everyVendor[name];
  return vendor?.demotions(message, vendor.toCredentials(account, undefined)) ?? [];
}

/** Why a vendor refuses an account, with what to look at: its own word is mostly a number. */
export function withAdvice(name: VendorName, reason: string): string {
  const advice = everyVendor[name]?.advice ?? {};
  const word = reason.match(/\w+/g)?.find((each) => Object.hasOwn(advice, each));
  return word === undefined ? reason : `${reason}: ${advice[word]}`;
}

export const limitsOf = (name: VendorName): VendorLimits => vendorOf(name).limits;

/** The class of messages that a vendor has a daily allowance for; empty where it has one for all. */
export function quotaClassOf(name: VendorName, message: Message): string {
  return everyVendor[name]?.quotaClass?.(message) ?? '';
}

/** How a vendor's callbacks are understood; nothing for one that has none. */
export function receiptReaderOf(name: VendorName): ReceiptReader | undefined {
  return everyVendor[name]?.receipts;
}

/** So many single calls are made before what came of them is written down: a crash leaves no more than these in doubt. */
const CALLS_PER_ROUND = 64;

/** How many devices are called at a time: for vendors that take many tokens in a request, a whole slice. */
export function devicesPerRound(name: VendorName): number {
  return Math.max(everyVendor[name]?.limits.tokensPerRequest ?? 1, CALLS_PER_ROUND);
}

/** One device and what it is to be told. */
export interface Attempt {
  readonly token: string;
  readonly notification: Notification;
}

/** Whether a vendor takes an account's credentials. `unknown`: it could not be asked, or did not say. */
export type Check = { readonly kind: 'good' } | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

export interface VendorSettings {
  readonly CARILLON_VENDOR_DEADLINE_SECONDS: number;
  readonly CARILLON_VENDOR_PROXY_URL: string;
  readonly CARILLON_VENDOR_PROXY_FOR: string;
  /** Where the vendors are, as their descriptions name it. */
  readonly [url: string]: string | number;
}

/** What requests of one account are made with. */
interface Line {
  readonly vendor: Vendor<unknown>;
  readonly account: VendorAccount;
  readonly connections: Connections;
  /** Nothing: the connections say who we are. */
  readonly source: NamedSource | undefined;
  readonly now: Date;
  /** By this process's clock: whatever has to be asked for first, nothing takes longer. */
  readonly deadlineAt: number;
}

/** A provider token's source, and what the token is kept under. */
type NamedSource = TokenSource & { readonly name: string };

interface Connections {
  readonly pool: Pool;
  /** What comes before every path: a vendor may be reached by a detour. */
  readonly prefix: string;
  readonly version: number;
}

const UNUSABLE = { kind: 'locked-out', reason: 'the stored credentials cannot be used' } as const satisfies Outcome;

/** Does all the talking to vendors: connections, deadlines, provider tokens. Tries nothing twice that may have arrived. */
export class VendorSender {
  readonly #settings: VendorSettings;
  readonly #deadlineMs: number;
  readonly #tokens: ProviderTokens;
  readonly #connections = new Map<string, Connections>();
  /** Accounts that a vendor has asked to be quiet, and until when by this process's clock. */
  readonly #quiet = new Map<string, number>();
  readonly #silence = new Silence();

  constructor(settings: VendorSettings, store?: TokenStore) {
    this.#settings = settings;
    this.#deadlineMs = settings.CARILLON_VENDOR_DEADLINE_SECONDS * 1_000;
    this.#tokens = new ProviderTokens(store);
  }

  /** One outcome per attempt, in order. `now` is database time. */
  async send(name: VendorName, account: VendorAccount, attempts: readonly Attempt[], now: Date): Promise<Outcome[]> {
    const vendor = vendorOf(name);
    const key = accountKey(vendor, account);
    const outcomes =
      this.#throttled(key, attempts) ??
      (await this.#silence.during(
        key,
        Math.ceil(attempts.length / vendor.limits.tokensPerRequest),
        this.#sendAll(vendor, account, attempts, now),
        (all) => all.some(({ kind }) => kind !== 'unreachable'),
      ));
    for (const outcome of outcomes) if (outcome.kind === 'throttled' && outcome.account) this.#keepQuiet(key, outcome);
    return outcomes;
  }

  /** It takes requests and answers none: whoever can wait shall not ask it now. */
  isSilent(name: VendorName, account: Pick<VendorAccount, 'appId' | 'environment'>): boolean {
    return this.#silence.isSilent(accountKey(vendorOf(name), account));
  }

  /** What becomes of a request that reaches nobody. */
  async check(name: VendorName, account: VendorAccount, now: Date): Promise<Outcome> {
    const vendor = vendorOf(name);
    const line = this.#lineOf(vendor, account, now);
    if (!line) return UNUSABLE;
    const [outcome] = await this.#withToken(line, 1, async (credentials) => {
      // To be given a provider token is proof enough where there is no such request.
      if (!vendor.toCheck) return [{ kind: 'accepted', channelMessageId: '' }];
      return vendor.toOutcomes(await request(line, vendor.toCheck(credentials, now)), ['nobody']);
    });
    return outcome as Outcome;
  }

  close(): void {
    for (const { pool } of this.#connections.values()) pool.close();
  }

  async #sendAll(
    vendor: Vendor<unknown>,
    account: VendorAccount,
    attempts: readonly Attempt[],
    now: Date,
  ): Promise<Outcome[]> {
    const line = this.#lineOf(vendor, account, now);
    if (!line) return attempts.map(() => UNUSABLE);
    const outcomes = new Array<Outcome>(attempts.length);
    await Promise.all(
      batchesOf(attempts, vendor.limits.tokensPerRequest).map(async (indexes) => {
        const tokens = indexes.map((index) => (attempts[index] as Attempt).token);
        const { notification } = attempts[indexes[0] as number] as Attempt;
        const answers = await this.#withToken(line, tokens.length, (credentials) =>
          call(line, notification, tokens, credentials),
        );
        indexes.forEach((index, i) => {
          outcomes[index] = answers[i] as Outcome;
        });
      }),
    );
    return outcomes;
  }

  /** Undefined: a key or certificate that cannot be used. The cause may hold the key, so it goes nowhere. */
  #lineOf(vendor: Vendor<unknown>, account: VendorAccount, now: Date): Line | undefined {
    try {
      const connections = this.#connectionsOf(vendor, account, 'send');
      const made = vendor.tokenSource(account, now);
      const source = made && { ...made, name: tokenName(vendor.name, made) };
      return { vendor, account, connections, source, now, deadlineAt: performance.now() + this.#deadlineMs };
    } catch {
      return undefined;
    }
  }

  /** Makes a call with the provider token, and once more with a new one if the vendor does not take the old. */
  async #withToken(
    line: Line,
    n: number,
    call: (credentials: unknown) => Promise<readonly VendorOutcome[]>,
  ): Promise<readonly Outcome[]> {
    const { vendor, account, source, now } = line;
    const all = (outcome: Outcome) => new Array<Outcome>(n).fill(outcome);
    for (let isSecond = false; ; isSecond = true) {
      const token = source && (await this.#tokenOf(line, source));
      if (token && 'kind' in token) return all(token);
      let outcomes: readonly VendorOutcome[];
      try {
        outcomes = await call(vendor.toCredentials(account, token?.token));
      } catch (error) {
        if (error instanceof NoAnswer) return all({ kind: 'unreachable', reason: error.message });
        throw error;
      }
      const stale = outcomes.find((outcome) => outcome.kind === 'stale-token');
      if (!stale) return outcomes as readonly Outcome[];
      const isOld = token && now.getTime() - token.madeAt.getTime() >= (source?.renewAfterSeconds ?? 0) * 1_000;
      if (isSecond || !isOld || !source) return all({ kind: 'locked-out', reason: stale.reason });
      await this.#tokens.forget(source.name, token);
    }
  }

  #tokenOf(line: Line, source: NamedSource): Promise<KeptToken | Outcome> {
    const { vendor, account, now } = line;
    const got = this.#tokens.get(source.name, now, async () => {
      try {
        if (source.kind === 'signed') return await source.sign(now);
        const connections = this.#connectionsOf(vendor, account, 'token');
        return source.toToken(await request({ ...line, connections }, await source.toRequest(now)));
      } catch (error) {
        return error instanceof NoAnswer ? { kind: 'unreachable', reason: error.message } : UNUSABLE;
      }
    });
    return inTime(got, line.deadlineAt);
  }

  /** A connection never carries two accounts: vendors tie it to the first credential they see on it. */
  #connectionsOf(vendor: Vendor<unknown>, account: VendorAccount, purpose: 'send' | 'token'): Connections {
    const key = `${purpose} ${accountKey(vendor, account)}`;
    const known = this.#connections.get(key);
    if (known?.version === account.version) {
      this.#connections.delete(key); // to the end of the line: whoever has not been used for longest is retired first
      this.#connections.set(key, known);
      return known;
    }
    const setting = purpose === 'send' ? vendor.urls.send[account.environment] : (vendor.urls.token as string);
    const { origin, pathname } = new URL(String(this.#settings[setting]));
    const options = {
      clientCertificate: vendor.toClientCertificate?.(account),
      proxyUrl: this.#proxyFor(vendor.name),
      startsWithOneStream: vendor.startsWithOneStream,
    };
    const pool =
      purpose === 'send' && vendor.http === 2 ? new Http2Pool(origin, options) : new Http1Pool(origin, options);
    known?.pool.retire(); // the certificate was saved anew
    const connections = { pool, prefix: pathname.replace(/\/$/, ''), version: account.version };
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
    const { CARILLON_VENDOR_PROXY_URL: url, CARILLON_VENDOR_PROXY_FOR: only } = this.#settings;
    const names = only.split(/[\s,]+/).filter(Boolean);
    return url !== '' && (names.length === 0 || names.includes(name)) ? url : undefined;
  }

  #throttled(key: string, attempts: readonly Attempt[]): Outcome[] | undefined {
    const leftMs = (this.#quiet.get(key) ?? 0) - performance.now();
    if (leftMs <= 0) {
      this.#quiet.delete(key);
      return undefined;
    }
    return attempts.map(() => ({ kind: 'throttled', retryAfterSeconds: Math.ceil(leftMs / 1_000) }));
  }

  #keepQuiet(key: string, { retryAfterSeconds }: Throttled): void {
    const until = performance.now() + Math.min(retryAfterSeconds, QUIET_SECONDS_MAX) * 1_000;
    this.#quiet.set(key, Math.max(this.#quiet.get(key) ?? 0, until));
  }
}

/** Asks the vendor whether it takes these credentials, on a connection of its own and without reaching anybody. */
export async function checkAccount(
  settings: VendorSettings,
  name: VendorName,
  account: VendorAccount,
  now: Date,
): Promise<Check> {
  if (!everyVendor[name]) return { kind: 'unknown', reason: 'This version does not speak to this provider yet.' };
  const sender = new VendorSender(settings);
  const outcome = await sender.check(name, account, now).finally(() => sender.close());
  if (outcome.kind === 'locked-out') return { kind: 'refused', reason: withAdvice(name, outcome.reason) };
  if (outcome.kind === 'unreachable') return { kind: 'unknown', reason: outcome.reason };
  return outcome.kind === 'throttled' ? { kind: 'unknown', reason: 'It has too much to do.' } : { kind: 'good' };
}

/** More than one worker serves at a time; whoever comes back after the others connects again. */
const ACCOUNTS_MAX = 2_000;

/** However long a vendor asks for: it is asked again then, by one round of each worker. */
const QUIET_SECONDS_MAX = 60;

function vendorOf(name: VendorName): Vendor<unknown> {
  const vendor = everyVendor[name];
  if (!vendor) throw new Error(`There is no sender for ${name}.`);
  return vendor;
}

const accountKey = (
  { name }: Vendor<unknown>,
  { appId, environment }: Pick<VendorAccount, 'appId' | 'environment'>,
): string => JSON.stringify([name, appId, environment]);

async function call(
  line: Line,
  notification: Notification,
  tokens: readonly string[],
  credentials: unknown,
): Promise<readonly VendorOutcome[]> {
  const { vendor, now } = line;
  let prepared: string | undefined;
  if (vendor.prepare && tokens.length > 1) {
    const reply = await request(line, vendor.prepare.toRequest(notification, credentials, now));
    const answer = vendor.prepare.toPrepared(reply);
    if (typeof answer !== 'string') return tokens.map(() => answer);
    prepared = answer;
  }
  const reply = await request(line, vendor.toRequest(notification, tokens, credentials, now, prepared));
  return vendor.toOutcomes(reply, tokens, prepared);
}

async function request(
  { vendor, connections, deadlineAt }: Line,
  { path, ...rest }: VendorRequest,
): Promise<VendorReply> {
  const leftMs = deadlineAt - performance.now();
  if (leftMs <= 0) throw new NoAnswer('no answer in time');
  const beganMs = performance.now();
  return connections.pool.request({ path: connections.prefix + path, ...rest }, leftMs).finally(() => {
    channelMetrics.vendorSeconds.since(beganMs, vendor.name);
  });
}

/** Somebody else may be getting the token, and take longer than we have. */
async function inTime(got: Promise<KeptToken | Outcome>, deadlineAt: number): Promise<KeptToken | Outcome> {
  const { promise: late, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(
    () => resolve({ kind: 'unreachable', reason: 'no provider token in time' }),
    deadlineAt - performance.now(),
  );
  return Promise.race([got, late]).finally(() => clearTimeout(timer));
}

/** Which attempts go together, by their numbers: those of one slice share everything but the token. */
function batchesOf(attempts: readonly Attempt[], tokensPerRequest: number): number[][] {
  const numbers = [...attempts.keys()];
  if (tokensPerRequest === 1) return numbers.map((number) => [number]);
  const slices = Map.groupBy(numbers, (number) => attempts[number]?.notification.reference);
  return [...slices.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / tokensPerRequest) }, (_, i) =>
      group.slice(i * tokensPerRequest, (i + 1) * tokensPerRequest),
    ),
  );
}
