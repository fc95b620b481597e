import { HttpsClient, type Result } from './test-client.ts';

/** Changes to a message or to its request. */
export type MessageChange = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the whole body. */
  readonly body?: string;
  readonly tokens?: readonly string[];
  readonly message?: object;
  readonly android?: object;
  readonly notification?: object;
};

/** Parameters for sending a valid message to a vendor that issues access tokens. */
export type BearerRequests = {
  readonly sendUrl: string;
  readonly path: string;
  readonly requestToken: (client: HttpsClient) => Promise<Result>;
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly bodyOf: (change: MessageChange) => object;
};

/** Sends valid messages, or messages with changed parts. It shares no code with Carillon's sender. */
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

/** Requests an access token with OAuth client credentials. */
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
