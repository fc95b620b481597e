import { Problem } from '#src/domain/problem.ts';

/**
 * At most this many counts run in a process at the same time. Each can read all devices of an app, and all apps share
 * the connections of the process.
 */
const RUNNING_MAX = 2;
/** At most this many further counts of an app wait. The console counts again after each edit of an audience. */
const WAITING_PER_APP_MAX = 4;

/** Limits counts of large audiences. An app has at most one running count, so that it leaves the other to other apps. */
export class CountSlots {
  readonly #running = new Set<string>();
  #waiting: { readonly appId: string; readonly start: () => void }[] = [];

  /** Runs a count as soon as there is a slot. Throws if too many counts of the app wait. */
  async run<T>(appId: string, count: () => Promise<T>): Promise<T> {
    if (!this.#canRun(appId)) await this.#wait(appId);
    else this.#running.add(appId);
    try {
      return await count();
    } finally {
      this.#running.delete(appId);
      this.#startNext();
    }
  }

  #canRun(appId: string): boolean {
    return this.#running.size < RUNNING_MAX && !this.#running.has(appId);
  }

  #wait(appId: string): Promise<void> {
    if (this.#waiting.filter((entry) => entry.appId === appId).length >= WAITING_PER_APP_MAX)
      throw new Problem(
        'too-many-requests',
        'Other calls are counting the devices of this app. Wait for their responses, then repeat the call.',
        { retryAfterSeconds: 1 },
      );
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ appId, start: resolve });
    return promise;
  }

  #startNext(): void {
    const next = this.#waiting.find(({ appId }) => this.#canRun(appId));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((entry) => entry !== next);
    this.#running.add(next.appId);
    next.start();
  }
}
