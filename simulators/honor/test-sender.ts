import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { HonorSimulator } from './simulator.ts';

export type Change = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body, as it is. */
  readonly body?: string;
  readonly tokens?: readonly string[];
  readonly message?: object;
  readonly android?: object;
  readonly notification?: object;
};

/** Sends good messages, or ones that are different in some part. Nothing here knows our sender. */
export class HonorSender implements AsyncDisposable {
  readonly #simulator: HonorSimulator;
  readonly #client: HttpsClient;
  readonly #bearer: string;

  private constructor(simulator: HonorSimulator, client: HttpsClient, bearer: string) {
    this.#simulator = simulator;
    this.#client = client;
    this.#bearer = bearer;
  }

  static async open(simulator: HonorSimulator): Promise<HonorSender> {
    const client = new HttpsClient(simulator.caPem);
    const { json } = await askToken(client, simulator, {});
    return new HonorSender(simulator, client, json.access_token);
  }

  send(change: Change = {}): Promise<Result> {
    const { app, sendUrl } = this.#simulator;
    const body = change.body ?? JSON.stringify(bodyOf(change));
    const headers = {
      authorization: `Bearer ${this.#bearer}`,
      'content-type': 'application/json;charset=UTF-8',
      timestamp: String(Date.now()),
      ...change.headers,
    };
    const path = change.path ?? `/api/v1/${app.appId}/sendMessage`;
    return this.#client.post(sendUrl + path, body, headers, change.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

export function askToken(
  client: HttpsClient,
  { tokenUrl, app }: HonorSimulator,
  change: Readonly<Record<string, string>>,
  path = '/auth/token',
): Promise<Result> {
  const { clientId, clientSecret } = app;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...change };
  return client.post(tokenUrl + path, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

export function bodyOf({ tokens = ['live-1'], message, android, notification }: Change): object {
  return {
    data: '{"mid":"7"}',
    android: {
      ttl: '3600s',
      biTag: 'task-7',
      targetUserType: 0,
      notification: {
        title: 'Sale',
        body: 'Today and tomorrow',
        importance: 'NORMAL',
        clickAction: { type: 3 },
        badge: { addNum: 1, badgeClass: 'com.example.Main' },
        ...notification,
      },
      ...android,
    },
    token: tokens,
    ...message,
  };
}
