import { setTimeout as wait } from 'node:timers/promises';
import type { Routes } from './control.ts';
import { BadControlRequest, parseCount, parseOneOf, parseRecord, parseString } from './parse-input.ts';

/** A receipt for one message on one phone, before it is converted to the vendor's format. */
export type Receipt = {
  readonly appId: string;
  readonly token: string;
  readonly biTag: string;
  readonly requestId: string;
  readonly status: number;
  readonly atMs: number;
};

/** The URL that receipts are sent to, and the parameters for signing if the vendor signs receipts. */
export type ReceiptAddress = {
  readonly url: string;
  readonly version: 'V1' | 'V2';
  readonly userName: string | undefined;
  readonly key: string | undefined;
  readonly keyMode: KeyMode;
  readonly delayMs: number;
  /** Status sent for every accepted message instead of the vendor's status for "delivered". */
  readonly status: number | undefined;
};
export type KeyMode = (typeof keyModes)[number];

/** Deliberate errors in a receipt that the receiver must detect. */
export type Corruption = { readonly hasBadSignature: boolean; readonly isOld: boolean };
export type Post = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Returns default values for a manual receipt, from the newest message to the token. */
type FindMessage = (token: string) => Pick<Receipt, 'appId' | 'biTag' | 'requestId'>;
type PostResult = { readonly status: number | string; readonly body: string };
type ManualReceipt = Corruption & { receipt: Receipt; times: number; isReplay: boolean };

const keyModes = ['base64', 'text'] as const;
const versions = ['V1', 'V2'] as const;
const RECEIPTS_PER_POST_MAX = 100; // Huawei's limit
const WAITING_POSTS_MAX = 10_000; // further receipts are lost, as a vendor's receipts sometimes are
const POST_MS_MAX = 10_000;
/** Total number of attempts if the receiver fails or is unavailable. */
const POST_ATTEMPTS_MAX = 5;
const RETRY_DELAY_MS = 1_000;
const DELAY_MS_MAX = 10 * 60 * 1000;
const REPEAT_MAX = 100;
const TEXT_MAX = 2048;
const DEFAULT_ADDRESS = {
  version: 'V1',
  userName: undefined,
  key: undefined,
  keyMode: 'base64',
  delayMs: 0,
  status: undefined,
} as const;
const NO_CORRUPTION: Corruption = { hasBadSignature: false, isOld: false };

/** Sends receipts for messages, automatically after a delay or manually through the control API. */
export class Receipts {
  readonly #toPost: (receipts: readonly Receipt[], address: ReceiptAddress, corruption: Corruption) => Post;
  readonly #stopped = new AbortController();
  readonly #posts: Record<string, number> = {};
  #address: ReceiptAddress | undefined;
  #pendingPosts = 0;

  constructor(toPost: (receipts: readonly Receipt[], address: ReceiptAddress, corruption: Corruption) => Post) {
    this.#toPost = toPost;
  }

  /**
   * Sends receipts to `url`, or to the configured URL if `url` is undefined. Some vendors take the URL from the
   * message. Sends nothing if there is no URL.
   */
  send(receipts: readonly Receipt[], url?: string): void {
    const address = url === undefined ? this.#address : { ...(this.#address ?? DEFAULT_ADDRESS), url };
    if (address === undefined) return;
    for (let start = 0; start < receipts.length; start += RECEIPTS_PER_POST_MAX) {
      if (this.#pendingPosts >= WAITING_POSTS_MAX) return;
      void this.#sendLater(receipts.slice(start, start + RECEIPTS_PER_POST_MAX), address);
    }
  }

  /** Drops pending receipts. */
  stop(): void {
    this.#stopped.abort();
  }

  routes(findMessage: FindMessage): Routes {
    return {
      'GET /receipts': () => ({ status: 200, json: { waiting: this.#pendingPosts, posts: this.#posts } }),
      'POST /receipts': ({ body }) => {
        this.#address = parseAddress(body);
        return { status: 204 };
      },
      'DELETE /receipts': () => {
        this.#address = undefined;
        return { status: 204 };
      },
      'POST /receipts/send': async ({ body }) => {
        const address = this.#address;
        if (address === undefined)
          throw new BadControlRequest('no URL for receipts is configured; call POST /receipts first');
        return {
          status: 200,
          json: { posts: await this.#sendManually(parseManualReceipt(body, findMessage), address) },
        };
      },
    };
  }

  async #sendLater(receipts: readonly Receipt[], address: ReceiptAddress): Promise<void> {
    this.#pendingPosts += 1;
    try {
      await wait(address.delayMs, undefined, { signal: this.#stopped.signal });
      const statuses = receipts.map((receipt) => ({ ...receipt, status: address.status ?? receipt.status }));
      for (let attempt = 1; ; attempt += 1) {
        const { status } = await this.#post(address.url, this.#toPost(statuses, address, NO_CORRUPTION));
        const isFinal = typeof status === 'number' && status < 500;
        if (isFinal || attempt === POST_ATTEMPTS_MAX) break;
        await wait(RETRY_DELAY_MS, undefined, { signal: this.#stopped.signal });
      }
    } catch (error) {
      if (!this.#stopped.signal.aborted) throw error;
    } finally {
      this.#pendingPosts -= 1;
    }
  }

  async #sendManually(
    { receipt, times, isReplay, ...corruption }: ManualReceipt,
    address: ReceiptAddress,
  ): Promise<PostResult[]> {
    const outcomes: PostResult[] = [];
    let post = this.#toPost([receipt], address, corruption);
    for (let index = 0; index < times; index += 1) {
      if (index > 0 && !isReplay) post = this.#toPost([receipt], address, corruption);
      outcomes.push(await this.#post(address.url, post));
    }
    return outcomes;
  }

  /** Sends one request. If the receiver cannot be reached, the error code is counted instead of an HTTP status. */
  async #post(url: string, { headers, body }: Post): Promise<PostResult> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(POST_MS_MAX)]);
    let outcome: PostResult;
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      outcome = { status: response.status, body: await response.text() };
    } catch (error) {
      outcome = { status: codeOf(error), body: '' };
    }
    this.#posts[outcome.status] = (this.#posts[outcome.status] ?? 0) + 1;
    return outcome;
  }
}

function codeOf(error: unknown): string {
  const { cause, name } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}

function parseAddress(body: unknown): ReceiptAddress {
  const { url, version, user_name, key, key_mode, delay_ms, status } = parseRecord(body);
  const address = parseString(url, 'url', TEXT_MAX);
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new BadControlRequest('url must be an HTTP or HTTPS URL');
  return {
    url: address,
    version: version === undefined ? 'V1' : parseOneOf(version, 'version', versions),
    userName: user_name === undefined ? undefined : parseString(user_name, 'user_name', TEXT_MAX),
    key: key === undefined ? undefined : parseString(key, 'key', TEXT_MAX),
    keyMode: key_mode === undefined ? 'base64' : parseOneOf(key_mode, 'key_mode', keyModes),
    delayMs: delay_ms === undefined || delay_ms === 0 ? 0 : parseCount(delay_ms, 'delay_ms', DELAY_MS_MAX),
    status: status === undefined ? undefined : parseStatus(status),
  };
}

function parseManualReceipt(body: unknown, findMessage: FindMessage): ManualReceipt {
  const fields = parseRecord(body);
  const token = parseString(fields.token, 'token', TEXT_MAX);
  const { appId, biTag, requestId } = findMessage(token);
  return {
    receipt: {
      appId,
      token,
      biTag: fields.bi_tag === undefined ? biTag : parseString(fields.bi_tag, 'bi_tag', TEXT_MAX),
      requestId: fields.request_id === undefined ? requestId : parseString(fields.request_id, 'request_id', TEXT_MAX),
      status: parseStatus(fields.status),
      atMs: Date.now(),
    },
    times: fields.repeat === undefined ? 1 : parseCount(fields.repeat, 'repeat', REPEAT_MAX),
    isReplay: fields.replay === true,
    hasBadSignature: fields.bad_signature === true,
    isOld: fields.old === true,
  };
}

function parseStatus(value: unknown): number {
  if (!Number.isSafeInteger(value))
    throw new BadControlRequest('status must be an integer, one of the vendor’s status codes');
  return value as number;
}
