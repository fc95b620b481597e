import type { Environment, Vendor } from '#src/domain/channel.ts';
import type { Reach } from '#src/domain/reach.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import type { Task } from '#src/domain/task.ts';
import { type Keyring, open } from '#src/foundation/sealed-box.ts';
import { type Callback, type CallbackSecrets, findCallbacks, openCallback } from '#src/storage/accounts/callbacks.ts';
import { type Certificate, certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { certifiedReach } from '#src/vendors/sender.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import type { GatedAccount } from './breakers.ts';
import type { PacedAccount } from './rates.ts';

/** A certificate that was saved a moment ago is seen by every worker within this time. */
const FRESH_MS = 3_000;
const APPS_MAX = 1_000;

interface Known {
  readonly certificates: readonly Certificate[];
  readonly certified: Reach;
  readonly callbacks: readonly Callback[];
  readonly readAt: number;
}

/** The vendors that each app has an account at. Secrets are opened when they are needed and not kept. */
export class Accounts {
  readonly #db: HomeDb;
  readonly #keyring: Keyring;
  readonly #known = new Map<string, Known>();

  constructor(db: HomeDb, keyring: Keyring) {
    this.#db = db;
    this.#keyring = keyring;
  }

  /** How the devices of a task are to be routed. */
  async rulesOf(task: Task): Promise<RouteRules> {
    return {
      strategy: task.strategy,
      ospushSequence: task.ospushSequence,
      messageType: task.message.type,
      certified: (await this.#of(task.appId)).certified,
    };
  }

  /** An app's accounts at a vendor, for those who need no secrets. */
  async accountsOf(appId: string, channel: Vendor): Promise<(GatedAccount & PacedAccount)[]> {
    const { certificates } = await this.#of(appId);
    return certificates.filter((certificate) => certificate.channel === channel);
  }

  async accountOf(appId: string, channel: Vendor, environment: Environment): Promise<VendorAccount | undefined> {
    const { certificates } = await this.#of(appId);
    const found = certificates.find((c) => c.channel === channel && c.environment === environment);
    if (!found) return undefined;
    const unseal = (field: 'app_secret' | 'certificate', box: Buffer) =>
      open(this.#keyring, certificateContext(found, field), box);
    return {
      ...found,
      appSecret: unseal('app_secret', found.appSecret),
      certificate: unseal('certificate', found.certificate),
    };
  }

  /** What references to a vendor are keyed with, and where it is to tell receipts, if it does. */
  async callbackOf(appId: string, channel: Vendor): Promise<CallbackSecrets | undefined> {
    const { callbacks } = await this.#of(appId);
    const found = callbacks.find((callback) => callback.channel === channel);
    return found && openCallback(this.#keyring, found);
  }

  async #of(appId: string): Promise<Known> {
    const known = this.#known.get(appId);
    if (known && performance.now() - known.readAt < FRESH_MS) return known;
    const readAt = performance.now();
    const [certificates, callbacks] = await Promise.all([
      findCertificates(this.#db, appId),
      findCallbacks(this.#db, appId),
    ]);
    const fresh = { certificates, certified: certifiedReach(certificates), callbacks, readAt };
    this.#known.set(appId, fresh);
    if (this.#known.size > APPS_MAX) this.#known.delete(this.#known.keys().next().value as string);
    return fresh;
  }
}
