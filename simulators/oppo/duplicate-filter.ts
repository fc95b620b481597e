const KEYS_MAX = 100_000; // beyond this limit, the oldest key is dropped, because a simulator may run for weeks

/** Detects repeated messages by phone and by the sender's message id. */
export class DuplicateFilter {
  readonly #duplicateResult: 'dropped' | 'refused';
  readonly #seen = new Set<string>();

  constructor(answer: 'dropped' | 'refused') {
    this.#duplicateResult = answer;
  }

  /** Checks a message. A message without an id is always new. */
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
