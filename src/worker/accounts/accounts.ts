import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { Reach } from '#src/domain/reach.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import type { Task } from '#src/domain/task.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { findAppName } from '#src/storage/accounts/apps.ts';
import { type Callback, type CallbackSecrets, findCallbacks, openCallback } from '#src/storage/accounts/callbacks.ts';
import { type Certificate, certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { reachOfCertificates } from '#src/vendors/sender.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import type { BreakerAccount } from './breakers.ts';
import type { RateLimitedAccount } from './rates.ts';

/** Every worker sees newly saved credentials within this time. */
const CACHE_TTL_MS = 3_000;
const APPS_MAX = 1_000;

interface AppAccounts {
  readonly certificates: readonly Certificate[];
  readonly credentialReach: Reach;
  readonly callbacks: readonly Callback[];
  readonly readAt: number;
}

/** The vendor accounts of each app. Secrets are opened when they are needed and are not kept. */
export class Accounts {
  readonly #db: HomeDb;
  readonly #keyrings: Pick<Keyrings, 'callbacks' | 'credentials'>;
  readonly #cache = new BoundedMap<string, AppAccounts>(APPS_MAX);
  readonly #names = new BoundedMap<string, { readonly name: string; readonly readAt: number }>(APPS_MAX);

  constructor(db: HomeDb, keyrings: Pick<Keyrings, 'callbacks' | 'credentials'>) {
    this.#db = db;
    this.#keyrings = keyrings;
  }

  /** Returns the rules for routing the devices of a task. */
  async routeRulesOf(task: Task): Promise<RouteRules> {
    return {
      strategy: task.strategy,
      ospushSequence: task.ospushSequence,
      messageType: task.message.type,
      credentialReach: (await this.#load(task.appId)).credentialReach,
    };
  }

  /** Returns an app's accounts at a vendor, for callers that need no secrets. */
  async accountsOf(appId: string, channel: VendorName): Promise<(BreakerAccount & RateLimitedAccount)[]> {
    const { certificates } = await this.#load(appId);
    return certificates.filter((certificate) => certificate.channel === channel);
  }

  async accountOf(appId: string, channel: VendorName, environment: Environment): Promise<VendorAccount | undefined> {
    const { certificates } = await this.#load(appId);
    const certificate = certificates.find((c) => c.channel === channel && c.environment === environment);
    if (!certificate) return undefined;
    const unseal = (field: 'app_secret' | 'certificate', box: Buffer) =>
      open(this.#keyrings.credentials, certificateContext(certificate, field), box);
    return {
      ...certificate,
      appSecret: unseal('app_secret', certificate.appSecret),
      certificate: unseal('certificate', certificate.certificate),
    };
  }

  /**
   * Returns the key for the references that are sent to a vendor, and the callback to which the vendor sends receipts.
   * Returns undefined if the app has no callback for the vendor.
   */
  async callbackOf(appId: string, channel: VendorName): Promise<CallbackSecrets | undefined> {
    const { callbacks } = await this.#load(appId);
    const vendorCallback = callbacks.find((callback) => callback.channel === channel);
    return vendorCallback && openCallback(this.#keyrings.callbacks, vendorCallback);
  }

  /** Returns the display name of an app. */
  async nameOf(appId: string): Promise<string> {
    const cached = this.#names.get(appId);
    if (cached && performance.now() - cached.readAt < CACHE_TTL_MS) return cached.name;
    const readAt = performance.now();
    const name = await findAppName(this.#db, appId);
    this.#names.set(appId, { name, readAt });
    return name;
  }

  async #load(appId: string): Promise<AppAccounts> {
    const cached = this.#cache.get(appId);
    if (cached && performance.now() - cached.readAt < CACHE_TTL_MS) return cached;
    const readAt = performance.now();
    const [certificates, callbacks] = await Promise.all([
      findCertificates(this.#db, appId),
      findCallbacks(this.#db, appId),
    ]);
    const loaded = { certificates, credentialReach: reachOfCertificates(certificates), callbacks, readAt };
    this.#cache.set(appId, loaded);
    return loaded;
  }
}
