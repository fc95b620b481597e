import { constants, createPrivateKey, sign } from 'node:crypto';
import { HttpsClient, type Result } from '../kit/test-client.ts';
import type { HarmonySimulator } from './simulator.ts';

/** Changes to a message or to its request. */
export type HarmonyChange = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Replaces the whole body. */
  readonly body?: string;
  readonly tokens?: readonly unknown[];
  readonly message?: object;
  readonly payload?: object;
  readonly notification?: object;
  readonly pushOptions?: object;
};

export type JwtChange = { header?: object; claims?: object; key?: string; saltLength?: number };

/** Signs a JWT with the service account of the demo app, or a changed one. It shares no code with Carillon's signer. */
export function signJwt(serviceAccountJson: string, changes: JwtChange = {}): string {
  const account = JSON.parse(serviceAccountJson);
  const header = { alg: 'PS256', typ: 'JWT', kid: account.key_id, ...changes.header };
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: account.sub_account, aud: account.token_uri, iat, exp: iat + 3600, ...changes.claims };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedText = `${encode(header)}.${encode(claims)}`;
  const key = createPrivateKey(changes.key ?? account.private_key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const signature = sign('sha256', Buffer.from(signedText), { key, padding, saltLength: changes.saltLength ?? 32 });
  return `${signedText}.${signature.toString('base64url')}`;
}

/** Sends valid messages, or messages with changed parts. It shares no code with Carillon's sender. */
export class HarmonySender implements AsyncDisposable {
  readonly #client: HttpsClient;
  readonly #simulator: HarmonySimulator;
  readonly #jwt: string;

  constructor(simulator: HarmonySimulator) {
    this.#client = new HttpsClient(simulator.caPem);
    this.#simulator = simulator;
    this.#jwt = signJwt(simulator.serviceAccountJson);
  }

  send(change: HarmonyChange = {}): Promise<Result> {
    return this.#post(`/v3/${this.#simulator.app.projectId}/messages:send`, bodyOf(change), change);
  }

  revoke(body: object, change: HarmonyChange = {}): Promise<Result> {
    return this.#post(`/v1/${this.#simulator.app.clientId}/messages:revoke`, body, change);
  }

  #post(path: string, body: object, change: HarmonyChange): Promise<Result> {
    const headers = {
      authorization: `Bearer ${this.#jwt}`,
      'push-type': '0',
      'content-type': 'application/json;charset=UTF-8',
      ...change.headers,
    };
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const url = this.#simulator.sendUrl + (change.path ?? path);
    return this.#client.post(url, change.body ?? JSON.stringify(body), Object.fromEntries(given), change.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

/** Changes that make a message data-only. */
export const dataOnly: HarmonyChange = { headers: { 'push-type': '6' }, payload: { extraData: '{"mid":"7"}' } };

function bodyOf({ tokens = ['live-1'], message, payload, notification, pushOptions }: HarmonyChange): object {
  return {
    payload: payload ?? {
      notification: {
        category: 'WORK',
        title: 'Sale',
        body: 'Today and tomorrow',
        clickAction: { actionType: 0, data: { mid: '7' } },
        badge: { addNum: 1 },
        notifyId: 7,
        ...notification,
      },
    },
    target: { token: tokens },
    pushOptions: { ttl: 3600, biTag: 'task-7', ...pushOptions },
    ...message,
  };
}
