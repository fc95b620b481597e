import { setTimeout as sleep } from 'node:timers/promises';
import type { Carillon } from '../../support/carillon.ts';

const SENDERS = 3;
const PAUSE_MS = 30;
/**
 * One in this many tasks is sent to all devices. If there were more, inboxes (at most 100 notifications) could overflow,
 * because the load lasts as long as the base backups.
 */
const EVERYONE_EVERY = 40;

export interface Accepted {
  readonly taskId: bigint;
  readonly requestId: string;
  readonly audience: object | 'all';
  /** Time of the request, measured with `performance.now()`. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** Notifies single users continuously, and everyone from time to time. Failed calls are not retried. */
export class Load {
  readonly accepted: Accepted[] = [];
  readonly #carillon: Carillon;
  readonly #userIds: readonly bigint[];
  readonly #over = new AbortController();
  readonly #senders: Promise<void>[];
  #requests = 0;

  constructor(carillon: Carillon, userIds: readonly bigint[]) {
    this.#carillon = carillon;
    this.#userIds = userIds;
    this.#senders = Array.from({ length: SENDERS }, () => this.#send());
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#senders);
  }

  async #send(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await this.#notify(++this.#requests);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #notify(number: number): Promise<void> {
    const userId = this.#userIds[(number * 7) % this.#userIds.length];
    const audience: Accepted['audience'] = number % EVERYONE_EVERY === 0 ? 'all' : { user_id: [userId] };
    const request = { requestId: `request-${number}`, audience };
    const askedAt = performance.now();
    const taskId = await notify(this.#carillon, request).catch(() => undefined);
    if (taskId !== undefined) this.accepted.push({ ...request, taskId, askedAt, answeredAt: performance.now() });
  }
}

/** Sends a notification. A repeated request returns the same task. */
export function notify(
  carillon: Carillon,
  { requestId, audience }: Pick<Accepted, 'requestId' | 'audience'>,
): Promise<bigint> {
  return carillon.notify(audience, { body: requestId }, { request_id: requestId });
}
