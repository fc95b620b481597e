import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { XiaomiSimulator } from './simulator.ts';

export type MessageChange = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the whole body. */
  readonly body?: string;
  readonly tokens?: readonly string[];
  /** Form fields to replace. `undefined` omits a field. */
  readonly form?: Readonly<Record<string, string | undefined>>;
};

/** Sends valid messages, or messages with changed parts. It shares no code with Carillon's sender. */
export class XiaomiSender implements AsyncDisposable {
  readonly #simulator: XiaomiSimulator;
  readonly #client: HttpsClient;

  constructor(simulator: XiaomiSimulator) {
    this.#simulator = simulator;
    this.#client = new HttpsClient(simulator.caPem);
  }

  send(change: MessageChange = {}): Promise<Result> {
    const { app, sendUrl } = this.#simulator;
    const headers = {
      authorization: `key=${app.appSecret}`,
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      ...change.headers,
    };
    const body = change.body ?? new URLSearchParams(formOf(change)).toString();
    return this.#client.post(sendUrl + (change.path ?? '/v3/message/regid'), body, headers, change.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

export function formOf({ tokens = ['live-1'], form }: MessageChange): Record<string, string> {
  const fields = {
    registration_id: tokens.join(','),
    restricted_package_name: 'com.example.carillon',
    title: 'Sale',
    description: 'Today and tomorrow',
    payload: '{"mid":"7"}',
    time_to_live: '3600000',
    notify_id: '7',
    'extra.notify_effect': '1',
    'extra.channel_id': '100123',
    'extra.callback.param': 'task-7',
    ...form,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}
