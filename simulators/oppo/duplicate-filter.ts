const KEYS_MAX = 100_000; // the oldest is forgotten: a simulator may run for weeks

/** What was sent to whom before, by the sender's own id. */
export class Repeats {
  readonly #answer: 'dropped' | 'refused';
  readonly #seen = new Set<string>();

  constructor(answer: 'dropped' | 'refused') {
    this.#answer = answer;
  }

  /** Without an id every message is new. */
  judge(phone: string, messageId: unknown): 'new' | 'dropped' | 'refused' {
    if (messageId === undefined) return 'new';
    const key = `${phone} ${messageId}`;
    if (this.#seen.has(key)) return this.#answer;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEYS_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return 'new';
  }
}
