import { createHash } from 'node:crypto';
import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { OppoSimulator } from './simulator.ts';

export type MessageChange = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the whole body. */
  readonly body?: string;
  /** Form fields to replace. `undefined` omits a field. */
  readonly form?: Readonly<Record<string, string | undefined>>;
  readonly tokens?: readonly string[];
  readonly entry?: object;
  readonly notification?: object;
};

const BATCH = '/server/v1/message/notification/unicast_batch';
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };

/** Sends valid messages, or messages with changed parts. It shares no code with Carillon's sender. */
export class OppoSender implements AsyncDisposable {
  readonly #simulator: OppoSimulator;
  readonly #client: HttpsClient;
  readonly #authToken: string;

  private constructor(simulator: OppoSimulator, client: HttpsClient, authToken: string) {
    this.#simulator = simulator;
    this.#client = client;
    this.#authToken = authToken;
  }

  static async open(simulator: OppoSimulator): Promise<OppoSender> {
    const client = new HttpsClient(simulator.caPem);
    const { json } = await requestToken(client, simulator);
    return new OppoSender(simulator, client, json.data.auth_token);
  }

  send(change: MessageChange = {}): Promise<Result> {
    const { tokens = ['live-1'], path = BATCH, entry, notification } = change;
    const entries = tokens.map((token) => entryOf(token, entry, notification));
    const messages = path === BATCH ? { messages: JSON.stringify(entries) } : { message: JSON.stringify(entries[0]) };
    const form = toForm({ auth_token: this.#authToken, ...messages, ...change.form });
    const headers = { ...FORM, ...change.headers };
    return this.#client.post(this.#simulator.sendUrl + path, change.body ?? form, headers, change.method);
  }

  requestToken(change: Readonly<Record<string, string | undefined>> = {}, headers = FORM, method = 'POST') {
    return requestToken(this.#client, this.#simulator, change, headers, method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

export function requestToken(
  client: HttpsClient,
  { tokenUrl, app }: OppoSimulator,
  change: Readonly<Record<string, string | undefined>> = {},
  headers: Readonly<Record<string, string>> = FORM,
  method = 'POST',
): Promise<Result> {
  const timestamp = change.timestamp ?? String(Date.now());
  const sign = createHash('sha256').update(`${app.appKey}${timestamp}${app.masterSecret}`).digest('hex');
  const form = toForm({ app_key: app.appKey, timestamp, sign, ...change });
  return client.post(`${tokenUrl}/server/v1/auth`, form, headers, method);
}

export function entryOf(token: string, entry: object = {}, notification: object = {}): object {
  const notificationFields = {
    title: 'Sale',
    content: 'Today and tomorrow',
    click_action_type: 0,
    action_parameters: '{"mid":"7"}',
    off_line_ttl: 3600,
    notify_id: 7,
    call_back_parameter: 'task-7',
    ...notification,
  };
  return { target_type: 2, target_value: token, notification: notificationFields, ...entry };
}

function toForm(fields: Readonly<Record<string, string | undefined>>): string {
  const definedFields = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(definedFields).toString();
}
