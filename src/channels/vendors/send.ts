import { Counter } from 'prom-client';
import type { Environment, Vendor as VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { type Reach, reachBit } from '#src/domain/reach.ts';
import { apns } from './apns/apns.ts';
import { Http2Pool, NoAnswer } from './http2-pool.ts';
import type { Notification, Vendor, VendorAccount } from './vendor.ts';

/** The vendors we speak to. */
const vendors: Partial<Record<VendorName, Vendor<unknown>>> = { apns: apns as Vendor<unknown> };

interface Certified {
  readonly channel: VendorName;
  readonly environment: Environment;
}

/** Where an app's notifications can go out: a certificate for a vendor that we do not speak to is of no use yet. */
export function certifiedReach(certificates: readonly Certified[]): Reach {
  return certificates
    .filter(({ channel }) => vendors[channel] !== undefined)
    .reduce((reach, { channel, environment }) => reach | reachBit(channel, environment), 0);
}

/** What a vendor would cut off a message, a sentence each. */
export function cutsOf(name: VendorName, message: Message): string[] {
  return vendors[name]?.cuts(message) ?? [];
}

/** So many single calls are made before what came of them is written down: a crash leaves no more than these in doubt. */
const CALLS_PER_ROUND = 64;

/** How many devices are called at a time: for vendors that take many tokens in a request, a whole slice. */
export function devicesPerRound(name: VendorName): number {
  return Math.max(vendors[name]?.limits.tokensPerRequest ?? 1, CALLS_PER_ROUND);
}

/** One device and what it is to be told. */
export interface Attempt {
  readonly token: string;
  readonly notification: Notification;
}

interface VendorSettings {
  readonly CARILLON_VENDOR_DEADLINE_SECONDS: number;
  readonly CARILLON_APNS_URL_PRODUCTION: string;
  readonly CARILLON_APNS_URL_DEVELOPMENT: string;
}

/** Does all the talking to vendors: connections, deadlines, credentials. Never tries anything twice. */
export class VendorSender {
  readonly #deadlineMs: number;
  readonly #urls: Partial<Record<VendorName, Readonly<Record<Environment, string>>>>;
  readonly #pools = new Map<string, { readonly pool: Http2Pool; readonly version: number }>();

  constructor(settings: VendorSettings) {
    this.#deadlineMs = settings.CARILLON_VENDOR_DEADLINE_SECONDS * 1_000;
    this.#urls = {
      apns: { 0: settings.CARILLON_APNS_URL_DEVELOPMENT, 1: settings.CARILLON_APNS_URL_PRODUCTION },
    };
  }

  /** One outcome per attempt, in order. `now` is database time. */
  async send(name: VendorName, account: VendorAccount, attempts: readonly Attempt[], now: Date): Promise<Outcome[]> {
    const vendor = vendors[name];
    if (!vendor) throw new Error(`There is no sender for ${name}.`);
    const outcomes = await this.#talk(vendor, account, attempts, now);
    for (const { kind } of outcomes) answered.inc({ channel: name, outcome: kind });
    return outcomes;
  }

  close(): void {
    for (const { pool } of this.#pools.values()) pool.close();
  }

  async #talk(
    vendor: Vendor<unknown>,
    account: VendorAccount,
    attempts: readonly Attempt[],
    now: Date,
  ): Promise<Outcome[]> {
    let credentials: unknown;
    let pool: Http2Pool;
    try {
      credentials = await vendor.toCredentials(account, now);
      pool = this.#poolOf(vendor, account);
    } catch {
      // A key that cannot be used, so that the operator must act. The cause may hold the key: it goes nowhere.
      return attempts.map(() => ({ kind: 'locked-out', reason: 'the stored credentials cannot be used' }));
    }
    return Promise.all(
      attempts.map(async ({ token, notification }): Promise<Outcome> => {
        try {
          const request = vendor.toRequest(notification, token, credentials);
          return vendor.toOutcome(await pool.request(request, this.#deadlineMs));
        } catch (error) {
          if (error instanceof NoAnswer) return { kind: 'unreachable', reason: error.message };
          throw error;
        }
      }),
    );
  }

  /** A connection never carries two accounts: vendors tie it to the first credential they see on it. */
  #poolOf(vendor: Vendor<unknown>, account: VendorAccount): Http2Pool {
    const { appId, environment, version } = account;
    const key = JSON.stringify([vendor.name, appId, environment]);
    const known = this.#pools.get(key);
    if (known?.version === version) return known.pool;
    const origin = this.#urls[vendor.name]?.[environment] as string;
    const pool = new Http2Pool(origin, vendor.toClientCertificate?.(account));
    known?.pool.retire(); // the certificate was saved anew
    this.#pools.set(key, { pool, version });
    return pool;
  }
}

const answered = new Counter({
  name: 'carillon_vendor_answers_total',
  help: 'Answers of vendors, by channel and outcome.',
  labelNames: ['channel', 'outcome'],
});
