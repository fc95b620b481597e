import type { Environment, Vendor as VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome } from '#src/domain/outcome.ts';

/** One notification for one device, as a vendor's translation sees it. */
export interface Notification {
  readonly taskId: bigint;
  readonly deviceId: bigint;
  /** Names the slice: the app gives it back to tell that the notification has arrived. */
  readonly reference: string;
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

export interface VendorRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface VendorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a connection shows of us in TLS, as PEM. */
export interface ClientCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A vendor is described, not programmed: its limits and the two translations. `Credentials` is what requests carry. */
export interface Vendor<Credentials> {
  readonly name: VendorName;
  readonly limits: { readonly tokensPerRequest: number; readonly payloadBytesMax: number };
  /** What an account becomes before requests are made: a signed token, say. `now` is database time. */
  readonly toCredentials: (account: VendorAccount, now: Date) => Promise<Credentials>;
  /** For accounts whose connections say who we are. */
  readonly toClientCertificate?: (account: VendorAccount) => ClientCertificate | undefined;
  readonly toRequest: (notification: Notification, token: string, credentials: Credentials) => VendorRequest;
  readonly toOutcome: (reply: VendorReply) => Outcome;
  /** What this vendor would cut off a message, a sentence each. */
  readonly cuts: (message: Message) => string[];
}
