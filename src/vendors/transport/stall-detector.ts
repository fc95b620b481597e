/**
 * If this many requests are pending and no response is received for `STALL_MS`, the vendor is stalled, and further
 * requests would also wait.
 */
const PENDING_REQUESTS_MAX = 20;
const STALL_MS = 2_000;

interface AccountState {
  pendingRequests: number;
  /** The time of the last response, or of the first request if there is no response yet. */
  lastResponseAt: number;
  /**
   * Whether `PENDING_REQUESTS_MAX` or more requests have been pending at some time since the last response. It is reset
   * when no requests are pending.
   */
  isOverloaded: boolean;
}

/** Detects vendors that accept requests without responding, long before the deadlines of these requests. */
export class StallDetector {
  readonly #accounts = new Map<string, AccountState>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  isStalled(key: string): boolean {
    const state = this.#accounts.get(key);
    return state?.isOverloaded === true && this.#now() - state.lastResponseAt >= STALL_MS;
  }

  /**
   * Counts pending requests. `hasResponse` is called when `work` has ended, and returns whether the vendor responded.
   */
  async track<T>(key: string, requests: number, work: Promise<T>, hasResponse: (result: T) => boolean): Promise<T> {
    let state = this.#accounts.get(key);
    if (!state) {
      state = { pendingRequests: 0, lastResponseAt: this.#now(), isOverloaded: false };
      this.#accounts.set(key, state);
    }
    state.pendingRequests += requests;
    state.isOverloaded ||= state.pendingRequests >= PENDING_REQUESTS_MAX;
    let gotResponse = false;
    try {
      const result = await work;
      gotResponse = hasResponse(result);
      return result;
    } finally {
      state.pendingRequests -= requests;
      if (gotResponse) {
        state.lastResponseAt = this.#now();
        state.isOverloaded = state.pendingRequests >= PENDING_REQUESTS_MAX;
      }
      if (state.pendingRequests === 0) this.#accounts.delete(key);
    }
  }
}
