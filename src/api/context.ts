import type { Static, TObject } from 'typebox';
import type { Operation } from '#src/contract/operation.ts';
import type { Caller } from '#src/domain/caller.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import type { Receipts } from '#src/receipts/receipts.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { TokenRow } from '#src/storage/users/tokens.ts';
import type { vendorSettings } from '#src/vendors/settings.ts';
import type { RequestLimits, SetHeader } from './http/limits.ts';
import type { TaskAcceptor } from './notify/accept.ts';
import type { ImageSizes } from './notify/image-sizes.ts';
import type { apiSettings } from './settings.ts';

/** What operations stand on. */
export interface ApiContext {
  readonly storage: Storage;
  readonly keyring: Keyring;
  readonly acceptor: TaskAcceptor;
  readonly imageSizes: ImageSizes;
  readonly settings: Static<typeof apiSettings> & Static<typeof vendorSettings>;
  readonly clock: DatabaseClock;
  readonly limits: RequestLimits;
  readonly receipts: Receipts;
  /** What this process knows of apps and tokens is old. Others find out by themselves, within seconds. */
  readonly clearAuthCache: () => void;
  /** Something was revoked: it is forgotten here, and gateways shall look at once. */
  readonly announceRevocation: () => void;
  readonly log: Log;
}

type BodyOf<O extends Operation> = O extends { readonly body: infer B extends TObject } ? Static<B> : undefined;
type QueryOf<O extends Operation> = O extends { readonly query: infer Q extends TObject } ? Static<Q> : undefined;

/** A checked request. Operations that take no token must not look at `caller` and `token`. */
export interface ApiRequest<O extends Operation = Operation> {
  readonly app: App;
  readonly caller: Caller;
  readonly token: TokenRow;
  readonly body: BodyOf<O>;
  readonly query: QueryOf<O>;
  /** The address of whoever calls, as far as the proxies in front are trusted. */
  readonly address: string;
  /** When its first bytes were read, by this process's clock. */
  readonly receivedMs: number;
  /** Adds a header to the answer. */
  readonly setHeader: SetHeader;
}

/** An operation and what answers it. */
export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  /** What may still refuse a checked request before it is recorded. */
  readonly precheck?: (context: ApiContext, request: ApiRequest<O>) => Promise<void>;
  readonly handle: (context: ApiContext, request: ApiRequest<O>) => Promise<Static<O['data']>>;
}
