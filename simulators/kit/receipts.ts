import { setTimeout as wait } from 'node:timers/promises';
import type { Routes } from './control.ts';
import { BadCall, parseCount, parseOneOf, parseRecord, parseText } from './parse-input.ts';

/** A vendor's word on one message at one phone, before it is put into the vendor's shape. */
export type Receipt = {
  readonly appId: string;
  readonly token: string;
  readonly biTag: string;
  readonly requestId: string;
  readonly status: number;
  readonly atMs: number;
};

/** Where receipts go, and how they are signed if the vendor signs. */
export type ReceiptAddress = {
  readonly url: string;
  readonly version: 'V1' | 'V2';
  readonly userName: string | undefined;
  readonly key: string | undefined;
  readonly keyMode: KeyMode;
  readonly delayMs: number;
  /** Told of every accepted message instead of the vendor's word for delivered. */
  readonly status: number | undefined;
};
export type KeyMode = (typeof keyModes)[number];

/** Ways to be wrong, for the receiver to notice. */
export type Spoiling = { readonly hasBadSignature: boolean; readonly isOld: boolean };
export type Post = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** What a receipt by hand says of a token where the caller says nothing: as in the newest message to it. */
type About = (token: string) => Pick<Receipt, 'appId' | 'biTag' | 'requestId'>;
type Outcome = { readonly status: number | string; readonly body: string };
type ByHand = Spoiling & { receipt: Receipt; times: number; isReplay: boolean };

const keyModes = ['base64', 'text'] as const;
const versions = ['V1', 'V2'] as const;
const RECEIPTS_PER_POST_MAX = 100; // Huawei's bound
const WAITING_POSTS_MAX = 10_000; // beyond, receipts are lost, as a vendor's are now and then
const POST_MS_MAX = 10_000;
/** A receiver that is broken or away is told again, so many times in all. */
const POSTS_MAX = 5;
const POST_AGAIN_MS = 1_000;
const DELAY_MS_MAX = 10 * 60 * 1000;
const REPEAT_MAX = 100;
const TEXT_MAX = 2048;
const PLAIN = {
  version: 'V1',
  userName: undefined,
  key: undefined,
  keyMode: 'base64',
  delayMs: 0,
  status: undefined,
} as const;
const SOUND: Spoiling = { hasBadSignature: false, isOld: false };

/** Tells the sender what became of its messages: after a delay by itself, or by hand. */
export class Receipts {
  readonly #toPost: (receipts: readonly Receipt[], address: ReceiptAddress, spoiling: Spoiling) => Post;
  readonly #ended = new AbortController();
  readonly #posts: Record<string, number> = {};
  #address: ReceiptAddress | undefined;
  #waiting = 0;

  constructor(toPost: (receipts: readonly Receipt[], address: ReceiptAddress, spoiling: Spoiling) => Post) {
    this.#toPost = toPost;
  }

  /** Where the message itself says, at vendors that have it so, or else at the one address. Without any nobody is told. */
  tell(receipts: readonly Receipt[], url?: string): void {
    const address = url === undefined ? this.#address : { ...(this.#address ?? PLAIN), url };
    if (address === undefined) return;
    for (let start = 0; start < receipts.length; start += RECEIPTS_PER_POST_MAX) {
      if (this.#waiting >= WAITING_POSTS_MAX) return;
      void this.#tellLater(receipts.slice(start, start + RECEIPTS_PER_POST_MAX), address);
    }
  }

  /** Receipts still to come are dropped. */
  stop(): void {
    this.#ended.abort();
  }

  routes(about: About): Routes {
    return {
      'GET /receipts': () => ({ status: 200, json: { waiting: this.#waiting, posts: this.#posts } }),
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
        if (address === undefined) throw new BadCall('POST /receipts first: nobody knows where to send it');
        return { status: 200, json: { posts: await this.#sendByHand(parseByHand(body, about), address) } };
      },
    };
  }

  async #tellLater(receipts: readonly Receipt[], address: ReceiptAddress): Promise<void> {
    this.#waiting += 1;
    try {
      await wait(address.delayMs, undefined, { signal: this.#ended.signal });
      const statuses = receipts.map((receipt) => ({ ...receipt, status: address.status ?? receipt.status }));
      for (let posts = 1; ; posts += 1) {
        const { status } = await this.#post(address.url, this.#toPost(statuses, address, SOUND));
        const isHeard = typeof status === 'number' && status < 500;
        if (isHeard || posts === POSTS_MAX) break;
        await wait(POST_AGAIN_MS, undefined, { signal: this.#ended.signal });
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #sendByHand({ receipt, times, isReplay, ...spoiling }: ByHand, address: ReceiptAddress): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let post = this.#toPost([receipt], address, spoiling);
    for (let index = 0; index < times; index += 1) {
      if (index > 0 && !isReplay) post = this.#toPost([receipt], address, spoiling);
      outcomes.push(await this.#post(address.url, post));
    }
    return outcomes;
  }

  /** A receiver that cannot be reached is counted by its error; nobody else is told. */
  async #post(url: string, { headers, body }: Post): Promise<Outcome> {
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(POST_MS_MAX)]);
    let outcome: Outcome;
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
  const address = parseText(url, 'url', TEXT_MAX);
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) throw new BadCall('url must be an address of HTTP');
  return {
    url: address,
    version: version === undefined ? 'V1' : parseOneOf(version, 'version', versions),
    userName: user_name === undefined ? undefined : parseText(user_name, 'user_name', TEXT_MAX),
    key: key === undefined ? undefined : parseText(key, 'key', TEXT_MAX),
    keyMode: key_mode === undefined ? 'base64' : parseOneOf(key_mode, 'key_mode', keyModes),
    delayMs: delay_ms === undefined || delay_ms === 0 ? 0 : parseCount(delay_ms, 'delay_ms', DELAY_MS_MAX),
    status: status === undefined ? undefined : parseStatus(status),
  };
}

function parseByHand(body: unknown, about: About): ByHand {
  const call = parseRecord(body);
  const token = parseText(call.token, 'token', TEXT_MAX);
  const { appId, biTag, requestId } = about(token);
  return {
    receipt: {
      appId,
      token,
      biTag: call.bi_tag === undefined ? biTag : parseText(call.bi_tag, 'bi_tag', TEXT_MAX),
      requestId: call.request_id === undefined ? requestId : parseText(call.request_id, 'request_id', TEXT_MAX),
      status: parseStatus(call.status),
      atMs: Date.now(),
    },
    times: call.repeat === undefined ? 1 : parseCount(call.repeat, 'repeat', REPEAT_MAX),
    isReplay: call.replay === true,
    hasBadSignature: call.bad_signature === true,
    isOld: call.old === true,
  };
}

function parseStatus(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new BadCall('status must be a whole number of the vendor’s');
  return value as number;
}
