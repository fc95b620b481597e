const KEYS_MAX = 100_000; // beyond this limit, the oldest key is dropped, because a simulator may run for weeks
const DAY_MS = 24 * 60 * 60 * 1000;

/** Detects messages that a phone does not display, because it displayed one with the same `appMessageId` within a day. */
export class DuplicateFilter {
  readonly #displayedAt = new Map<string, number>();

  /** Returns whether the phone displays a message. A message without an id is always displayed. */
  accepts(phone: string, messageId: unknown, nowMs: number): boolean {
    if (messageId === undefined) return true;
    const key = `${phone} ${messageId}`;
    const displayedAt = this.#displayedAt.get(key);
    if (displayedAt !== undefined && nowMs - displayedAt < DAY_MS) return false;
    this.#displayedAt.delete(key);
    this.#displayedAt.set(key, nowMs);
    const [oldest] = this.#displayedAt.keys();
    if (this.#displayedAt.size > KEYS_MAX && oldest !== undefined) this.#displayedAt.delete(oldest);
    return true;
  }
}
