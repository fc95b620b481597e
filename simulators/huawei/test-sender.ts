import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { HuaweiSimulator } from './simulator.ts';

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
export class HuaweiSender implements AsyncDisposable {
  readonly #simulator: HuaweiSimulator;
  readonly #client: HttpsClient;
  readonly #bearer: string;

  private constructor(simulator: HuaweiSimulator, client: HttpsClient, bearer: string) {
    this.#simulator = simulator;
    this.#client = client;
    this.#bearer = bearer;
  }

  static async open(simulator: HuaweiSimulator): Promise<HuaweiSender> {
    const client = new HttpsClient(simulator.caPem);
    const { json } = await askToken(client, simulator, {});
    return new HuaweiSender(simulator, client, json.access_token);
  }

  send(change: Change = {}): Promise<Result> {
    const { app, sendUrl } = this.#simulator;
    const body = change.body ?? JSON.stringify(bodyOf(change));
    const headers = {
      authorization: `Bearer ${this.#bearer}`,
      'content-type': 'application/json;charset=UTF-8',
      ...change.headers,
    };
    const path = change.path ?? `/v1/${app.appId}/messages:send`;
    return this.#client.post(sendUrl + path, body, headers, change.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

export function askToken(
  client: HttpsClient,
  { tokenUrl, app }: HuaweiSimulator,
  change: Readonly<Record<string, string>>,
): Promise<Result> {
  const form = { grant_type: 'client_credentials', client_id: app.appId, client_secret: app.appSecret, ...change };
  return client.post(`${tokenUrl}/oauth2/v3/token`, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

export function bodyOf({ tokens = ['live-1'], message, android, notification }: Change): object {
  return {
    validate_only: false,
    message: {
      data: '{"mid":"7"}',
      android: {
        ttl: '3600s',
        bi_tag: 'task-7',
        notification: {
          title: 'Sale',
          body: 'Today and tomorrow',
          click_action: { type: 3 },
          badge: { add_num: 1, class: 'com.example.Main' },
          ...notification,
        },
        ...android,
      },
      token: tokens,
      ...message,
    },
  };
}
