import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { hashToken } from '#src/storage/users/tokens.ts';
import type { Carillon } from '../../test/support/carillon.ts';
import { deviceOf, fillDevices, type Traits } from '../fill-devices.ts';

/** The values that a device sends in its CONNECT packet. */
export interface Phone {
  readonly guid: string;
  readonly pushToken: string;
  readonly token: string;
}

export type PhoneCommand =
  | {
      readonly kind: 'connect';
      readonly address: string;
      readonly phones: readonly (Phone & { readonly port: number })[];
    }
  | { readonly kind: 'delay'; readonly acknowledgeMs: number }
  | { readonly kind: 'note' | 'count' | 'tell' };

export interface PhoneReport {
  readonly connected?: number;
  readonly acknowledged?: number;
  readonly acknowledgementTimes?: readonly (readonly [taskId: string, atMs: number])[] | undefined;
}

const PROCESSES = 2;
const ACKNOWLEDGE_SECONDS_MAX = 120;

/**
 * Simulated phones in separate processes, because a process can open at most 20,000 files and the phones must not be
 * measured with the gateway.
 */
export class Phones implements AsyncDisposable {
  readonly #children: readonly ChildProcess[];
  readonly #failure: Promise<never>;

  constructor() {
    const program = new URL('./phone-process.ts', import.meta.url);
    this.#children = Array.from({ length: PROCESSES }, () =>
      fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    );
    this.#failure = Promise.race(this.#children.map(rejectOnExit));
    this.#failure.catch(() => undefined);
  }

  /** Connects all phones, distributing them over the ports in turn. */
  async connect(phones: readonly Phone[], ports: readonly number[]): Promise<void> {
    await this.#send((child) => ({
      kind: 'connect',
      address: `127.0.0.${2 + child}`,
      phones: phones.flatMap((phone, i) =>
        i % PROCESSES === child ? [{ ...phone, port: ports[Math.floor(i / PROCESSES) % ports.length] as number }] : [],
      ),
    }));
  }

  /** Makes the phones wait before each acknowledgement. */
  async delayAcknowledgements(acknowledgeMs: number): Promise<void> {
    await this.#send(() => ({ kind: 'delay', acknowledgeMs }));
  }

  /** Starts to record the time of each acknowledgement. */
  async startRecording(): Promise<void> {
    await this.#send(() => ({ kind: 'note' }));
  }

  /** Returns the number of acknowledgements written so far. */
  async acknowledged(): Promise<number> {
    const reports = await this.#send(() => ({ kind: 'count' }));
    return reports.reduce((sum, { acknowledged = 0 }) => sum + acknowledged, 0);
  }

  /**
   * Waits until all these tasks are acknowledged. Returns the time of each acknowledgement in milliseconds since 1970.
   */
  async acknowledgementTimes(taskIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    for (let i = 0; i < ACKNOWLEDGE_SECONDS_MAX * 10; i++) {
      const reports = await this.#send(() => ({ kind: 'tell' }));
      const times = new Map(reports.flatMap(({ acknowledgementTimes = [] }) => acknowledgementTimes));
      if (taskIds.every((taskId) => times.has(taskId))) return times;
      await sleep(100);
    }
    throw new Error('Some notifications were not acknowledged.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null) continue;
      child.disconnect();
      await once(child, 'exit');
    }
  }

  async #send(orderFor: (child: number) => PhoneCommand): Promise<PhoneReport[]> {
    return Promise.all(
      this.#children.map(async (child, i) => {
        child.send(orderFor(i));
        const [report] = (await Promise.race([once(child, 'message'), this.#failure])) as [PhoneReport];
        return report;
      }),
    );
  }
}

/**
 * Rejects when a phone process exits. Before the end of the bench it exits only if a phone was rejected or
 * disconnected.
 */
async function rejectOnExit(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('A phone process exited before the end of the bench.');
}

/** Devices that have only the Carillon channel and are not connected yet. */
const nativeOnly = (): Traits => ({ vendors: [], latestDomestic: null, generation: 1, seenDaysAgo: 0, gateway: null });

/** Creates devices of an app, each with an access token. */
export async function createPhones(
  carillon: Carillon,
  size: number,
  say: (line: string) => void,
  traitsOf: (n: number) => Traits = nativeOnly,
): Promise<Phone[]> {
  const { appId, storage } = carillon;
  await fillDevices(carillon, { size, say, traitsOf, gateways: [] });
  const phones = Array.from({ length: size }, (_, i) => {
    const { guid, pushToken, deviceId, userId } = deviceOf(appId, i + 1, traitsOf(i + 1));
    return { guid, pushToken, deviceId, userId, token: withChecksum(`px_user_${randomText(256)}`) };
  });
  await storage.home.query(
    `insert into users (app_id, user_id, name, password_hash) select distinct $1, u, 'user-' || u, '-' from unnest($2::bigint[]) as u`,
    [appId, phones.map(({ userId }) => userId)],
  );
  await storage.home.query(
    `insert into user_tokens (token_hash, app_id, user_id, device_id, generation, expires_at)
     select t.hash, $1, t.user_id, t.device_id, 1, now() + interval '1 day'
       from unnest($2::bytea[], $3::bigint[], $4::bigint[]) as t (hash, user_id, device_id)`,
    [
      appId,
      phones.map(({ token }) => hashToken(token)),
      phones.map(({ userId }) => userId),
      phones.map(({ deviceId }) => deviceId),
    ],
  );
  return phones.map(({ guid, pushToken, token }) => ({ guid, pushToken, token }));
}
