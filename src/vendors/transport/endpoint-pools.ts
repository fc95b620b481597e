import { isIP } from 'node:net';
import { guardedLookup } from '#src/foundation/guarded-head.ts';
import { isPublicAddress } from '#src/foundation/public-address.ts';
import type { VendorRequest, VendorResponse } from '../vendor.ts';
import { Http1Pool } from './http1-pool.ts';
import { NoResponseError, type Pool } from './pool.ts';

/**
 * Maximum number of origins with open connections per account. Browsers use about a dozen, and users can choose
 * subdomains. Beyond it, the origin that was used least recently loses its connections.
 */
const ORIGINS_MAX = 64;
/** At most this many connections per origin. Push services respond within about 50 ms. */
const CONNECTIONS_MAX = 16;
/** At most this many requests wait for one origin, so that a slow push service cannot use up the memory of a worker. */
const PENDING_MAX = 1_000;
/**
 * After this many requests in a row without a response, requests to the origin fail immediately for `PAUSE_MS`.
 * Otherwise each round of notifications would wait for the slowest push service until its deadline.
 */
const FAILURES_MAX = 8;
const PAUSE_MS = 5_000;

interface OriginState {
  readonly pool: Pool;
  /** False for an IP address that is not allowed. Names are checked when they are resolved. */
  readonly isAllowed: boolean;
  pending: number;
  /** Number of requests without a response since the last response. */
  failures: number;
  pausedUntil: number;
}

export interface EndpointPoolsOptions {
  readonly proxyUrl?: string | undefined;
  /** Whether Carillon may connect to an address. Tests allow the loopback address. */
  readonly isAllowed?: (address: string) => boolean;
  readonly now?: () => number;
}

/**
 * Connections to the origins of URLs that users chose. Only public addresses are allowed, and redirects are not
 * followed. A proxy resolves the names itself, so with a proxy the addresses are not checked here.
 */
export class EndpointPools implements Pool {
  readonly #origins = new Map<string, OriginState>();
  readonly #options: EndpointPoolsOptions;
  readonly #now: () => number;

  constructor(options: EndpointPoolsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async request(request: VendorRequest, deadlineMs: number): Promise<VendorResponse> {
    const state = this.#stateOf(request.origin as string);
    if (this.#now() < state.pausedUntil) throw new NoResponseError('the push service did not respond recently');
    if (!state.isAllowed) throw new NoResponseError('the address is not public');
    if (state.pending >= PENDING_MAX) throw new NoResponseError('Too many requests are waiting for this push service.');
    state.pending++;
    try {
      const response = await state.pool.request(request, deadlineMs);
      state.failures = 0;
      return response;
    } catch (error) {
      if (++state.failures >= FAILURES_MAX) state.pausedUntil = this.#now() + PAUSE_MS;
      throw error;
    } finally {
      state.pending--;
    }
  }

  close(): void {
    for (const { pool } of this.#origins.values()) pool.close();
  }

  retire(): void {
    for (const { pool } of this.#origins.values()) pool.retire();
  }

  /** The number of origins with connections. */
  get size(): number {
    return this.#origins.size;
  }

  #stateOf(origin: string): OriginState {
    const state = this.#origins.get(origin) ?? this.#open(origin);
    this.#origins.delete(origin); // moved to the end, because the least recently used entry is retired first
    this.#origins.set(origin, state);
    if (this.#origins.size > ORIGINS_MAX) this.#retireOldest();
    return state;
  }

  #open(origin: string): OriginState {
    const { proxyUrl, isAllowed = isPublicAddress } = this.#options;
    const options = { proxyUrl, connections: CONNECTIONS_MAX, lookup: guardedLookup(isAllowed) };
    const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
    return {
      pool: new Http1Pool(origin, options),
      isAllowed: isIP(host) === 0 || isAllowed(host),
      pending: 0,
      failures: 0,
      pausedUntil: 0,
    };
  }

  #retireOldest(): void {
    const [[origin, { pool }]] = this.#origins as unknown as [[string, OriginState]];
    this.#origins.delete(origin);
    pool.retire();
  }
}
