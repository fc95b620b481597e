import type { FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Operation } from '#src/contract/operation.ts';
import type { Caller } from '#src/domain/caller.ts';
import type { Language } from '#src/domain/language/language.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Receipts } from '#src/receipts/receipts.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import type { TokenRow } from '#src/storage/users/tokens.ts';
import type { vendorSettings } from '#src/vendors/settings.ts';
import type { AppCeilings } from './http/app-ceilings.ts';
import type { RequestLimits, SetHeader } from './http/limits.ts';
import type { TaskAcceptor } from './notify/accept.ts';
import type { ImageSizes } from './notify/image-sizes.ts';
import type { CountedDevices, LargeCounts } from './notify/large-counts.ts';
import type { apiSettings } from './settings.ts';

/** The dependencies of operations. */
export interface ApiContext {
  readonly storage: Storage;
  readonly keyrings: Keyrings;
  readonly acceptor: TaskAcceptor;
  readonly imageSizes: ImageSizes;
  readonly largeCounts: LargeCounts<CountedDevices>;
  readonly settings: Static<typeof apiSettings> & Static<typeof vendorSettings>;
  readonly clock: DatabaseClock;
  readonly limits: RequestLimits;
  readonly ceilings: AppCeilings;
  readonly receipts: Receipts;
  /**
   * Clears this process's cache of apps and tokens. Other processes use the old values until their cache entries
   * expire, within seconds.
   */
  readonly clearAuthCache: () => void;
  /** Clears this process's cache after a revocation and signals the gateways to check for revocations immediately. */
  readonly announceRevocation: () => void;
  readonly log: Log;
}

type BodyOf<O extends Operation> = O extends { readonly body: infer B extends TObject } ? Static<B> : undefined;
type QueryOf<O extends Operation> = O extends { readonly query: infer Q extends TObject } ? Static<Q> : undefined;

/**
 * A validated request. Operations without a token must not read `caller` or `token`, and operations that belong to no
 * app must not read `app`.
 */
export interface ApiRequest<O extends Operation = Operation> {
  readonly app: App;
  readonly caller: Caller;
  readonly token: TokenRow;
  /** The session of the operator who calls. Accessible only in operations that require a session. */
  readonly session: OperatorSession;
  readonly body: BodyOf<O>;
  readonly query: QueryOf<O>;
  /** Paths of body fields that are ignored, if the operation checks the names of fields. */
  readonly ignoredFields: readonly string[];
  /** IP address of the client. If the request came through trusted proxies, it is taken from `X-Forwarded-For`. */
  readonly address: string;
  /** Time at which the request was received, by this process's clock. */
  readonly receivedMs: number;
  /** The language of sentences in the response. English unless the operation has `translates`. */
  readonly language: Language;
  /** Adds a header to the response. */
  readonly setHeader: SetHeader;
  /** The HTTP request, which decides about cookies. */
  readonly http: FastifyRequest;
}

/** An operation and its handler. */
export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  /** Runs before the body is read, for callers with access. It can reject the request. */
  readonly admit?: (context: ApiContext, app: App) => Promise<void>;
  /** Runs after validation and before the audit entry is written. It can still reject the request. */
  readonly precheck?: (context: ApiContext, request: ApiRequest<O>) => Promise<void>;
  readonly handle: (context: ApiContext, request: ApiRequest<O>) => Promise<Static<O['data']>>;
}
