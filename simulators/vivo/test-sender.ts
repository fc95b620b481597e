import { createHash } from 'node:crypto';
import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { VivoSimulator } from './simulator.ts';

export type MessageChange = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the whole body. */
  readonly body?: string;
  readonly message?: object;
};

const JSON_TYPE = 'application/json;charset=UTF-8';

/** Sends valid messages, or messages with changed parts. It shares no code with Carillon's sender. */
export class VivoSender implements AsyncDisposable {
  readonly client: HttpsClient;
  readonly #simulator: VivoSimulator;
  readonly #authToken: string;

  private constructor(simulator: VivoSimulator, client: HttpsClient, authToken: string) {
    this.#simulator = simulator;
    this.client = client;
    this.#authToken = authToken;
  }

  static async open(simulator: VivoSimulator): Promise<VivoSender> {
    const client = new HttpsClient(simulator.caPem);
    const { json } = await requestToken(client, simulator, {});
    return new VivoSender(simulator, client, json.authToken);
  }

  /** Sends to one phone with `/message/send`, or to the given path. */
  send(change: MessageChange = {}): Promise<Result> {
    const body = change.body ?? JSON.stringify({ regId: 'live-1', ...bodyOf(change.message) });
    return this.#post(change.path ?? '/message/send', body, change);
  }

  save(message: object = {}): Promise<Result> {
    return this.#post('/message/saveListPayload', JSON.stringify(bodyOf(message)), {});
  }

  push(regIds: readonly unknown[], change: object): Promise<Result> {
    const body = { appId: Number(this.#simulator.app.appId), regIds, requestId: 'list-7', ...change };
    return this.#post('/message/pushToList', JSON.stringify(body), {});
  }

  /** Saves a message and sends it to a list. */
  async sendList(regIds: readonly string[], message: object = {}): Promise<Result> {
    const { json } = await this.save(message);
    return this.push(regIds, { taskId: json.taskId });
  }

  #post(path: string, body: string, { headers, method }: MessageChange): Promise<Result> {
    const allHeaders = { authToken: this.#authToken, 'content-type': JSON_TYPE, ...headers };
    return this.client.post(this.#simulator.sendUrl + path, body, allHeaders, method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }
}

/** Requests a token. The signature is valid for the changed fields, unless `change` replaces it. */
export function requestToken(client: HttpsClient, { tokenUrl, app }: VivoSimulator, change: object): Promise<Result> {
  const { appKey, appSecret } = app;
  const fields = { appId: Number(app.appId) as unknown, appKey, timestamp: Date.now() as unknown, ...change };
  const text = `${fields.appId}${fields.appKey}${fields.timestamp}${appSecret}`;
  const sign = createHash('md5').update(text).digest('hex');
  return client.post(`${tokenUrl}/message/auth`, JSON.stringify({ sign, ...fields }), { 'content-type': JSON_TYPE });
}

function bodyOf(message: object = {}): object {
  return {
    appId: 100001,
    notifyType: 4,
    title: 'Sale',
    content: 'Today and tomorrow',
    skipType: 1,
    timeToLive: 3600,
    requestId: 'request-7',
    clientCustomMap: { mid: '7' },
    extra: { 'callback.param': 'task-7' },
    ...message,
  };
}
