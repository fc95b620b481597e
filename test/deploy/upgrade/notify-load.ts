import { setTimeout as sleep } from 'node:timers/promises';
import { callHttps } from '../proxy-calls.ts';
import type { Installation } from './installation.ts';
import type { Phone, Phones } from './phones.ts';

/** A notification whose call returned 200. */
export interface SentNotification {
  readonly taskId: bigint;
  /** Phones that must receive the notification. */
  readonly recipients: readonly Phone[];
  /** Stage in which the call was made; undefined while a process was being replaced. */
  readonly stage: string | undefined;
}

const CALLERS = 2;
const PAUSE_MS = 120;
/** Maximum number of attempts for a call, all with the same `request_id`. */
const TRIES_MAX = 20;
const RETRY_MS = 250;

/**
 * Backends that notify one user after another through the proxy, at a rate that a small machine can handle during the
 * upgrade.
 */
export class NotifyLoad {
  readonly sent: SentNotification[] = [];
  /** Errors of the calls that were retried. */
  readonly retries: string[] = [];
  stage: string | undefined;
  readonly #installation: Installation;
  readonly #phones: Phones;
  readonly #stopping = new AbortController();
  #callers: Promise<unknown> | undefined;
  #next = 0;

  constructor(installation: Installation, phones: Phones) {
    this.#installation = installation;
    this.#phones = phones;
  }

  start(): void {
    this.#callers = Promise.all(Array.from({ length: CALLERS }, () => this.#call()));
    this.#callers.catch(() => undefined); // `end` throws the error
  }

  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#callers;
  }

  async notifyEveryone(): Promise<void> {
    await this.#notify('all', this.#phones.all);
  }

  async #call(): Promise<void> {
    const { all } = this.#phones;
    while (!this.#stopping.signal.aborted) {
      const phone = all[(this.#next++ * 7) % all.length] as Phone;
      await this.#notify({ user_id: [phone.userId] }, [phone]);
      await sleep(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #notify(audience: object | 'all', recipients: readonly Phone[]): Promise<void> {
    const { httpsPort, ca, carillon } = this.#installation;
    const { stage } = this;
    const body = { audience, message: { title: 'On' }, setting: { request_id: crypto.randomUUID() } };
    const headers = { app_id: carillon.appId, 'access-token': carillon.adminToken };
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const response = await callHttps(httpsPort, ca, { path: '/push/notify', headers, body }).catch(String);
      if (typeof response !== 'string' && response.status === 200) {
        const { task_id } = response.envelope.data as { task_id: number };
        this.sent.push({ taskId: BigInt(task_id), recipients, stage });
        return;
      }
      this.retries.push(typeof response === 'string' ? response : `${response.status} ${response.envelope.message}`);
      await sleep(RETRY_MS);
    }
    throw new Error(`A call failed ${TRIES_MAX} times: ${this.retries.at(-1)}`);
  }
}
