import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { Language, Translated } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import type { RateLimit } from '#src/domain/vendor-account/rate-limit.ts';
import type { FieldTable } from './translate/message-fields.ts';
import type { OptionalData } from './translate/optional-data.ts';
import type { ReceiptReader } from './translate/receipt.ts';

/**
 * One notification for one device, from which a vendor's request is built. A request for several devices uses the
 * notification of the first device.
 */
export interface Notification {
  readonly taskId: bigint;
  readonly deviceId: bigint;
  /** Identifies the slice. Vendors return it in receipts. */
  readonly reference: string;
  /** The URL for receipts, for vendors that require it with each message. */
  readonly callbackUrl?: string | undefined;
  readonly message: Message;
  /** The number on the app's icon, with the change already applied; only for vendors that need it. */
  readonly badge: number | undefined;
  readonly notAfter: Date;
}

/** An app's account at a vendor: its credentials, with the secrets decrypted. Never logged. */
export interface VendorAccount {
  readonly appId: string;
  readonly environment: Environment;
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly certificate: string;
  /** Increases when the credentials are saved again, so that old connections and tokens are discarded. */
  readonly version: number;
}

/** Values that an operator enters for a vendor. Missing values are empty strings. */
export interface CertificateInput {
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly certificate: string;
}

export interface CheckedCertificate extends CertificateInput {
  /** The time at which the credentials expire, or null if they do not expire. */
  readonly expiresAt: Date | null;
}

/** A request to a vendor. The method is always POST. */
export interface VendorRequest {
  /** The origin of the URL in the vendor token, for vendors with `tokenEndpoint`. */
  readonly origin?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Replaces `body` if the request has a binary body. */
  readonly bytes?: Buffer;
}

/** A complete response; anything else counts as no response. Header names are in lower case. */
export interface VendorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The TLS client certificate and its key, as PEM. */
export interface ClientCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A short-lived token that authenticates Carillon at a vendor. */
export interface ProviderToken {
  readonly token: string;
  readonly lifetimeSeconds: number;
}

/**
 * The source of a provider token, which is either signed by Carillon or requested from the vendor. All workers use the
 * same token.
 */
export type TokenSource = {
  /** Accounts with equal parts share the token. */
  readonly cacheKeyParts: readonly string[];
  /**
   * If the vendor rejects a token before this age, the token is not renewed, because it has not expired and the
   * credentials are wrong.
   */
  readonly renewAfterSeconds: number;
} & (
  | { readonly kind: 'signed'; readonly sign: (now: Date) => Promise<ProviderToken> }
  | {
      readonly kind: 'requested';
      readonly toRequest: (now: Date) => Promise<VendorRequest>;
      /** Returns the token, or the outcome for every notification that needs it. */
      readonly toToken: (response: VendorResponse) => ProviderToken | Outcome;
    }
);

/** `stale-token`: the provider token is no longer valid. Carillon obtains a new one and retries once. */
export type VendorOutcome = Outcome | BatchRejected | { readonly kind: 'stale-token'; readonly reason: string };

/**
 * The vendor has rejected a request with several tokens because of one of them, and certainly sent nothing. All tokens
 * of the request have this outcome.
 */
export interface BatchRejected {
  readonly kind: 'batch-rejected';
}

/**
 * The meanings of a code that most vendors share. Some vendors add meanings, for example for a type of exhausted quota.
 */
export type CodeMeaning = Exclude<VendorOutcome['kind'], 'accepted' | 'quota-spent' | 'batch-rejected'>;

export interface VendorLimits {
  /**
   * If greater than 1, the devices of a slice share a request, so the request cannot contain device-specific values.
   */
  readonly tokensPerRequest: number;
  /** The limit for environment 0, if it is lower. */
  readonly tokensPerTestRequest?: number;
  readonly payloadBytesMax: number;
  /**
   * The rate limit for small apps, if the vendor publishes one. The limit of a larger app is stored with its
   * credentials.
   */
  readonly perSecond?: RateLimit;
  /** Time in which a send to many devices reaches the full rate, if the vendor asks for a gradual start. */
  readonly rampSeconds?: number;
  /**
   * The shortest lifetime of a message that the vendor accepts. A notification whose `show_end_time` is nearer is not
   * sent to this vendor.
   */
  readonly ttlSecondsMin?: number;
}

/**
 * The format of the tokens that a vendor issues. No token contains a comma, because some requests join tokens with
 * commas. The format is only as strict as the vendor's documentation allows, so that no valid token is rejected.
 */
export interface TokenFormat {
  readonly lengthMax: number;
  /** The characters that a token can contain besides ASCII letters and digits. */
  readonly symbols: string;
}

/**
 * For vendors whose tokens contain the URL of the request. Devices choose this URL, so Carillon checks it when the token
 * is bound and before each request.
 */
export interface TokenEndpoint {
  /**
   * Returns the origin of the URL, and the token in its stored form. Returns a reason if the token is not valid or the
   * URL is not allowed. `extraHosts` are the hosts that the operator allows in addition to those of the vendor.
   */
  readonly read: (
    token: string,
    extraHosts: readonly string[],
  ) => { readonly origin: string; readonly token: string } | { readonly reason: string };
}

/** The first of two requests, which sends the message without tokens. */
export interface Preparation<Credentials> {
  readonly toRequest: (notification: Notification, credentials: Credentials, now: Date) => VendorRequest;
  /** Returns the vendor's ID for the message, or the outcome for all tokens if the vendor rejects the message. */
  readonly toPreparedId: (response: VendorResponse) => string | VendorOutcome;
}

/** The vendor token in previews. */
export const PREVIEW_TOKEN = '<token>';

/** The content of a request, and what a device displays of it. */
export interface VendorPreview {
  /**
   * The body of the request for one device as JSON, with `PREVIEW_TOKEN` as the vendor token and without secrets. A form
   * is an object with its fields. An encrypted body is shown before its encryption.
   */
  readonly payload: string;
  /** The displayed texts after truncation. Undefined if nothing is displayed. */
  readonly title: string | undefined;
  readonly body: string | undefined;
  /** The text of the expanded notification, if it has its own. */
  readonly bigText?: string | undefined;
  /** The message class or category, if the request has one. */
  readonly messageClass?: string | undefined;
  /** The fields that do not fit into the request. */
  readonly omitted: readonly OptionalData[];
}

/** The daily quota of an app at a vendor. */
export interface DailyQuota {
  /** The environments of the credentials that have a quota. Some vendors limit only test messages. */
  readonly environments: readonly Environment[];
  /** The values of `quotaClass`. One empty string if one quota covers all messages. */
  readonly classes: readonly string[];
  /** The limits for test messages (environment 0), by class. Limits in production depend on the app and are unknown. */
  readonly testLimits?: Readonly<Record<string, number>>;
  /** Returns the end of the vendor's current day. */
  readonly endOfDay: (now: Date) => Date;
}

/** Advice by error code. */
export type Advice = Readonly<Record<string, Translated>>;

/** Names of the settings that contain the URLs of a vendor. */
export interface VendorUrls {
  readonly send: Readonly<Record<Environment, string>>;
  /** The URL for requesting provider tokens. */
  readonly token?: string;
}

/**
 * Describes a vendor: its limits, and how requests and responses are translated. `Credentials` is the type of the
 * account data that is needed to build a request.
 */
export interface Vendor<Credentials> {
  readonly name: VendorName;
  readonly urls: VendorUrls;
  /** The HTTP version of the requests. */
  readonly http: 1 | 2;
  /**
   * The vendor allows one request at a time on a connection until it has accepted the credentials of the first request.
   */
  readonly startsWithOneStream?: true;
  readonly limits: VendorLimits;
  readonly tokenFormat: TokenFormat;
  readonly tokenEndpoint?: TokenEndpoint;
  /**
   * Checks credentials and returns the values to store. Throws a Problem that describes the fix in the vendor's terms.
   * The error never quotes a secret and has no `cause`, because parser errors quote their input. `now` is database
   * time.
   */
  readonly checkCertificate: (input: CertificateInput, environment: Environment, now: Date) => CheckedCertificate;
  /**
   * Whether credentials that are saved again without `app_key` and `app_secret` keep the saved ones, because new keys
   * would make all vendor tokens invalid.
   */
  readonly keepsKeys?: true;
  /** Returns the secret that the app on the phone needs. Undefined for vendors whose apps need no secret. */
  readonly clientSecret?: (certificate: string) => string;
  /**
   * Returns undefined if the vendor needs no token that all workers share. Throws if the account's secrets cannot be
   * used.
   */
  readonly tokenSource: (account: VendorAccount, now: Date) => TokenSource | undefined;
  readonly toCredentials: (account: VendorAccount, providerToken: string | undefined) => Credentials;
  /** Returns the TLS client certificate, for accounts that authenticate with one. */
  readonly toClientCertificate?: (account: VendorAccount) => ClientCertificate | undefined;
  /** For vendors that receive the message first and several tokens afterwards. A single token needs no preparation. */
  readonly prepare?: Preparation<Credentials>;
  /** `now` is database time. `preparedId` identifies the message that was sent first. */
  readonly toRequest: (
    notification: Notification,
    tokens: readonly string[],
    credentials: Credentials,
    now: Date,
    preparedId?: string,
  ) => VendorRequest;
  /** Returns one outcome per token, in order. `preparedId` is the ID that was passed to `toRequest`. */
  readonly toOutcomes: (
    response: VendorResponse,
    tokens: readonly string[],
    preparedId?: string,
  ) => readonly VendorOutcome[];
  /**
   * Returns a request that removes the notification of a task from the screens of its devices, for vendors that support
   * this. `toOutcomes` parses the response: `accepted` means recalled. Repeating the request must be harmless. Returns
   * undefined if the credentials are sufficient to send, but not to recall.
   */
  readonly toRecallRequest?: (
    taskId: bigint,
    tokens: readonly string[],
    credentials: Credentials,
  ) => VendorRequest | undefined;
  /**
   * Returns a request that reaches no device and shows whether the credentials are valid. Only the outcome `locked-out`
   * means that they are not.
   */
  readonly toCheckRequest?: (credentials: Credentials, now: Date) => VendorRequest;
  /** Advice for operators when the vendor rejects the account, keyed by the vendor's error code. */
  readonly advice: Advice;
  /** Parses the vendor's receipts, if it sends any. */
  readonly receipts?: ReceiptReader;
  /** The mapping of each message field, shown on the vendor's page in docs/. */
  readonly fields: FieldTable;
  /** The daily quota of each app. Undefined for vendors that limit no app per day. */
  readonly dailyQuota?: DailyQuota;
  /** Returns the class of a message, for vendors that have a separate daily quota per class. */
  readonly quotaClass?: (message: Message, credentials: Credentials) => string;
  /** Returns the content of a request, built by the functions that `toRequest` uses. `now` is the time of sending. */
  readonly preview: (notification: Notification, credentials: Credentials, now: Date) => VendorPreview;
  /** Returns sentences that describe which parts of a message the vendor would cut. */
  readonly cuts: (message: Message, language: Language) => string[];
  /**
   * Returns sentences that describe how the vendor would restrict a message (shorten it, delay it or show it on fewer
   * devices), and how to avoid the restriction.
   */
  readonly demotions: (message: Message, credentials: Credentials, language: Language) => string[];
}
