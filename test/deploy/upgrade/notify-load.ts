import { setTimeout as sleep } from 'node:timers/promises';
import { callHttps } from '../proxy-calls.ts';
import type { Installation } from './installation.ts';
import type { Phone, Phones } from './phones.ts';

/** A notification that was answered with 200. */
export interface Sent {
  readonly taskId: bigint;
  /** Whom it is for. */
  readonly to: readonly Phone[];
  /** What was going on when the call was made; undefined while a process was exchanged. */
  readonly stage: string | undefined;
}

const CALLERS = 2;
const PAUSE_MS = 120;
/** A caller that got no good answer makes the same call again, with the same request id, so often. */
const TRIES_MAX = 20;
const TRY_AGAIN_MS = 250;

/** Backends that notify one person after the other through the proxy, as fast as a small machine can bear beside everything else. */
export class Stream {
  readonly sent: Sent[] = [];
  /** Calls that had to be made again, and why. */
  readonly retries: string[] = [];
  stage: string | undefined;
  readonly #installation: Installation;
  readonly #phones: Phones;
  readonly #over = new AbortController();
  #callers: Promise<unknown> | undefined;
  #next = 0;

  constructor(installation: Installation, phones: Phones) {
    this.#installation = installation;
    this.#phones = phones;
  }

  start(): void {
    this.#callers = Promise.all(Array.from({ length: CALLERS }, () => this.#call()));
    this.#callers.catch(() => undefined); // told at the end
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#callers;
  }

  async notifyEveryone(): Promise<void> {
    await this.#notify('all', this.#phones.all);
  }

  async #call(): Promise<void> {
    const { all } = this.#phones;
    while (!this.#over.signal.aborted) {
      const phone = all[(this.#next++ * 7) % all.length] as Phone;
      await this.#notify({ user_id: [phone.userId] }, [phone]);
      await sleep(PAUSE_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
    }
  }

  async #notify(audience: object | 'all', to: readonly Phone[]): Promise<void> {
    const { httpsPort, ca, carillon } = this.#installation;
    const { stage } = this;
    const body = { audience, message: { title: 'On' }, setting: { request_id: crypto.randomUUID() } };
    const headers = { app_id: carillon.appId, 'access-token': carillon.adminToken };
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const answer = await callHttps(httpsPort, ca, { path: '/push/notify', headers, body }).catch(String);
      if (typeof answer !== 'string' && answer.status === 200) {
        const { task_id } = answer.envelope.data as { task_id: number };
        this.sent.push({ taskId: BigInt(task_id), to, stage });
        return;
      }
      this.retries.push(typeof answer === 'string' ? answer : `${answer.status} ${answer.envelope.message}`);
      await sleep(TRY_AGAIN_MS);
    }
    throw new Error(`A call was not answered well ${TRIES_MAX} times: ${this.retries.at(-1)}`);
  }
}
