import { createHash } from 'node:crypto';
import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { App } from './apps.ts';
import type { FlymeSimulator } from './simulator.ts';

export type MessageChange = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the whole body. */
  readonly body?: string;
  readonly tokens?: readonly string[];
  /** Parts of the message to replace. */
  readonly message?: object;
  /** Parts of `noticeBarInfo` to replace. */
  readonly noticeBar?: object;
  /** Form parameters, which are signed. `undefined` removes a parameter. */
  readonly form?: Readonly<Record<string, string | undefined>>;
  /** Form parameters that are added after signing. */
  readonly unsigned?: Readonly<Record<string, string>>;
  readonly app?: App;
};

/** Sends valid messages, or messages with changed parts. It shares no code with Carillon's sender. */
export class FlymeSender implements AsyncDisposable {
  readonly #simulator: FlymeSimulator;
  readonly #client: HttpsClient;

  constructor(simulator: FlymeSimulator) {
    this.#simulator = simulator;
    this.#client = new HttpsClient(simulator.caPem);
  }

  send(change: MessageChange = {}): Promise<Result> {
    const body = change.body ?? this.#formOf(change);
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', ...change.headers };
    const path = change.path ?? '/push/varnished/pushByPushId';
    return this.#client.post(`${this.#simulator.sendUrl}/garcia/api/server${path}`, body, headers, change.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  #formOf({
    tokens = ['live-1'],
    message,
    noticeBar,
    form,
    unsigned,
    app = this.#simulator.app,
  }: MessageChange): string {
    const messageJson = JSON.stringify({
      noticeBarInfo: { noticeMsgType: 0, noticeBarType: 0, title: 'Sale', content: 'Today & tomorrow', ...noticeBar },
      clickTypeInfo: { clickType: 0, parameters: { mid: '7' } },
      pushTimeInfo: { offLine: 1, validTime: 24 },
      ...message,
    });
    const formFields = { appId: app.appId, pushIds: tokens.join(','), messageJson, ...form };
    const pairs = Object.entries(formFields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const names = pairs.map(([name]) => name).sort();
    const signedFields = Object.fromEntries(pairs);
    const text = names.map((name) => `${name}=${signedFields[name]}`).join('') + app.appSecret;
    const sign = createHash('md5').update(text).digest('hex');
    return new URLSearchParams({ sign, ...signedFields, ...unsigned }).toString();
  }
}
