/** So many requests without an answer, and nothing heard for so long: whoever comes now would only wait as well. */
const PENDING_REQUESTS_MAX = 20;
const STALL_MS = 2_000;

interface AccountState {
  pendingRequests: number;
  /** Since when something was asked and nothing heard. */
  lastResponseAt: number;
  /** Too many were unanswered. It stays so until something is heard, or nothing is asked any more. */
  isOverloaded: boolean;
}

/** Notices vendors that take requests and answer none, long before the deadlines of these requests are over. */
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

  /** `answered` is asked when it has ended: whether anything was heard. */
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
