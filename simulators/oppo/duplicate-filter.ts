const KEYS_MAX = 100_000; // the oldest is dropped, because a simulator may run for weeks

/** Messages that were sent before, by phone and the sender's message id. */
export class DuplicateFilter {
  readonly #duplicateResult: 'dropped' | 'refused';
  readonly #seen = new Set<string>();

  constructor(answer: 'dropped' | 'refused') {
    this.#duplicateResult = answer;
  }

  /** Checks a message. Without an id, every message is new. */
  check(phone: string, messageId: unknown): 'new' | 'dropped' | 'refused' {
    if (messageId === undefined) return 'new';
    const key = `${phone} ${messageId}`;
    if (this.#seen.has(key)) return this.#duplicateResult;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEYS_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return 'new';
  }
}
