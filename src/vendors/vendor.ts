import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import type { RateLimit } from '#src/domain/vendor-account/rate-limit.ts';
import type { FieldTable } from './translate/message-fields.ts';
import type { ReceiptReader } from './translate/receipt.ts';

/** One notification for one device, as a vendor's translation sees it; for several devices, that of the first. */
export interface Notification {
  readonly taskId: bigint;
  readonly deviceId: bigint;
  /** Names the slice: whoever tells that the notification has arrived gives it back. */
  readonly reference: string;
  /** Where the vendor is to tell what has arrived, for vendors that want to hear it with each message. */
  readonly callbackUrl?: string | undefined;
  readonly message: Message;
  /** The number on the app's icon, already moved; only for vendors that need it. */
  readonly badge: number | undefined;
  readonly notAfter: Date;
}

/** An app's account at a vendor: its certificate record with the secrets opened. Never logged. */
export interface VendorAccount {
  readonly appId: string;
  readonly environment: Environment;
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly certificate: string;
  /** Rises when the record is saved anew, so that pools and tokens of the old one are given up. */
  readonly version: number;
}

/** What an operator enters for a vendor; a text that was not given is empty. */
export interface CertificateInput {
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly certificate: string;
}

export interface CheckedCertificate extends CertificateInput {
  /** When it stops working by itself; null when it does not. */
  readonly expiresAt: Date | null;
}

/** Always a POST. */
export interface VendorRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A complete answer; whatever else comes is none. Names of headers are in small letters. */
export interface VendorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a connection shows of us in TLS, as PEM. */
export interface ClientCertificate {
  readonly key: string;
  readonly cert: string;
}

/** What requests carry for a while, to say who we are. */
export interface ProviderToken {
  readonly token: string;
  readonly lifetimeSeconds: number;
}

/** How a provider token is had: signed by ourselves, or asked for at the vendor. All workers use the same one. */
export type TokenSource = {
  /** Accounts that agree in all of this share the token. */
  readonly cacheKeyParts: readonly string[];
  /** Younger than this it is not made anew, even if the vendor refuses it: then the credentials are wrong. */
  readonly renewAfterSeconds: number;
} & (
  | { readonly kind: 'signed'; readonly sign: (now: Date) => Promise<ProviderToken> }
  | {
      readonly kind: 'requested';
      readonly toRequest: (now: Date) => Promise<VendorRequest>;
      /** An outcome: there is none, and this is what becomes of everything that needs it. */
      readonly toToken: (response: VendorResponse) => ProviderToken | Outcome;
    }
);

/** `stale-token`: the provider token is not good any more. It is had anew, and the request made once more. */
export type VendorOutcome = Outcome | { readonly kind: 'stale-token'; readonly reason: string };

/** The meanings of a code that most vendors share. Some vendors add their own, such as one kind of spent quota. */
export type CodeMeaning = Exclude<VendorOutcome['kind'], 'accepted' | 'quota-spent'>;

export interface VendorLimits {
  /** With more than one, the devices of a slice go together: nothing in the request may be of one device alone. */
  readonly tokensPerRequest: number;
  readonly payloadBytesMax: number;
  /** How quick a small app may be, if the vendor says so. What a larger one may do is said with its certificate. */
  readonly perSecond?: RateLimit;
}

/** The first of two calls. */
export interface Preparation<Credentials> {
  readonly toRequest: (notification: Notification, credentials: Credentials, now: Date) => VendorRequest;
  /** What the vendor calls the message; or what becomes of all the tokens, because it does not take it. */
  readonly toPreparedId: (response: VendorResponse) => string | VendorOutcome;
}

/** Where a vendor is: names of settings. */
export interface VendorUrls {
  readonly send: Readonly<Record<Environment, string>>;
  /** Where provider tokens are asked for. */
  readonly token?: string;
}

/** A vendor is described, not programmed: its limits and the two translations. `Credentials` is what requests are made with. */
export interface Vendor<Credentials> {
  readonly name: VendorName;
  readonly urls: VendorUrls;
  /** The version of HTTP it is spoken to in. */
  readonly http: 1 | 2;
  /** It allows one request at a time on a connection until it has answered the first well. */
  readonly startsWithOneStream?: true;
  readonly limits: VendorLimits;
  /**
   * What is stored of what was given. Throws a Problem that says what to do in the vendor's own terms and never quotes a
   * secret; nor does it carry a cause, since the errors of parsers quote what they read. `now` is database time.
   */
  readonly checkCertificate: (input: CertificateInput, environment: Environment, now: Date) => CheckedCertificate;
  /** The secret that the app on the phone needs itself; missing for vendors whose apps need none. */
  readonly clientSecret?: (certificate: string) => string;
  /** Nothing: the connection itself says who we are. Throws when the account's secrets cannot be used. */
  readonly tokenSource: (account: VendorAccount, now: Date) => TokenSource | undefined;
  readonly toCredentials: (account: VendorAccount, providerToken: string | undefined) => Credentials;
  /** For accounts whose connections say who we are. */
  readonly toClientCertificate?: (account: VendorAccount) => ClientCertificate | undefined;
  /** For vendors that are given the message first and several tokens afterwards. One token alone needs no such call. */
  readonly prepare?: Preparation<Credentials>;
  /** `now` is database time. `prepared` names what the vendor was given first. */
  readonly toRequest: (
    notification: Notification,
    tokens: readonly string[],
    credentials: Credentials,
    now: Date,
    preparedId?: string,
  ) => VendorRequest;
  /** One per token, in order. `prepared` is what the request was made with. */
  readonly toOutcomes: (
    response: VendorResponse,
    tokens: readonly string[],
    preparedId?: string,
  ) => readonly VendorOutcome[];
  /** A request that reaches nobody and shows whether the credentials are good: only *locked-out* says no. */
  readonly toCheckRequest?: (credentials: Credentials, now: Date) => VendorRequest;
  /** What an operator is to look at when it refuses the account, by its own words for that. */
  readonly advice: Readonly<Record<string, string>>;
  /** How it tells what has arrived, if it does. */
  readonly receipts?: ReceiptReader;
  /** What becomes of each field of a message; the vendor's page in docs/ shows it. */
  readonly fields: FieldTable;
  /** Messages that the vendor counts apart have a daily allowance of their own. */
  readonly quotaClass?: (message: Message) => string;
  /** What this vendor would cut off a message, a sentence each. */
  readonly cuts: (message: Message) => string[];
  /** Where this vendor would show less of it, later, or to fewer phones, and what to do about it: a sentence each. */
  readonly demotions: (message: Message, credentials: Credentials) => string[];
}
