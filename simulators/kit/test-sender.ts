import { HttpsClient, type Result } from './test-client.ts';

/** What is different about a message, or about the request that it is in. */
export type MessageChange = {
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

/** How a vendor that gives out access tokens is sent a good message. */
export type BearerRequests = {
  readonly sendUrl: string;
  readonly path: string;
  readonly requestToken: (client: HttpsClient) => Promise<Result>;
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly bodyOf: (change: MessageChange) => object;
};

/** Sends good messages, or ones that are different in some part. Nothing here knows our sender. */
export class BearerSender implements AsyncDisposable {
  readonly #client: HttpsClient;
  readonly #requests: BearerRequests;
  readonly #bearer: string;

  private constructor(client: HttpsClient, requests: BearerRequests, bearer: string) {
    this.#client = client;
    this.#requests = requests;
    this.#bearer = bearer;
  }

  static async open(caPem: string, requests: BearerRequests): Promise<BearerSender> {
    const client = new HttpsClient(caPem);
    const { json } = await requests.requestToken(client);
    return new BearerSender(client, requests, json.access_token);
  }

  send(change: MessageChange = {}): Promise<Result> {
    const { sendUrl, path, headers, bodyOf } = this.#requests;
    const allHeaders = {
      authorization: `Bearer ${this.#bearer}`,
      'content-type': 'application/json;charset=UTF-8',
      ...headers?.(),
      ...change.headers,
    };
    const body = change.body ?? JSON.stringify(bodyOf(change));
    return this.#client.post(sendUrl + (change.path ?? path), body, allHeaders, change.method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}

/** Asks for an access token as OAuth has it. */
export function requestAccessToken(
  client: HttpsClient,
  url: string,
  credentials: { readonly client_id: string; readonly client_secret: string },
  change: Readonly<Record<string, string>>,
): Promise<Result> {
  const form = { grant_type: 'client_credentials', ...credentials, ...change };
  return client.post(url, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}
