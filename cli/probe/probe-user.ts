import { randomUUID } from 'node:crypto';
import { type Carillon, CarillonError } from '../../sdk/src/index.ts';
import type { Redactor } from './redact.ts';
import type { ProbedVendor } from './step.ts';

const NO_SUCH_USER = 10000;

/** A user whose devices have the vendor tokens of the probe. The user has no password, and is deleted at the end. */
export class TestUser {
  readonly #client: Carillon;
  readonly #redactor: Redactor;
  /** The name identifies the user if the response to the creation is lost. */
  readonly name = `vendor-probe-${randomUUID()}`;
  #userId: bigint | undefined;
  #mayExist = false;
  #devices = 0;

  constructor(client: Carillon, redactor: Redactor) {
    this.#client = client;
    this.#redactor = redactor;
  }

  /** Whether the user may exist, so that it must be deleted. */
  get mayExist(): boolean {
    return this.#mayExist;
  }

  /** Creates a device with a vendor token. Returns its push token. */
  async addDevice({ provider, environment }: ProbedVendor, vendorToken: string): Promise<string> {
    const userId = await this.#create();
    const deviceGuid = `${this.name}-${++this.#devices}`;
    const login = await this.#client.admin.user.token({ user_id: userId, device_guid: deviceGuid });
    const pushToken = login.push_token ?? '';
    this.#redactor.addSecrets(login.token, pushToken);
    await this.#client.device.bind({ provider, environment, token: vendorToken, push_token: pushToken });
    return pushToken;
  }

  async delete(): Promise<void> {
    try {
      const userId = this.#userId ?? (await this.#client.admin.user.find({ name: this.name })).user_id;
      await this.#client.admin.user.delete({ user_id: userId });
    } catch (error) {
      if (!(error instanceof CarillonError && error.code === NO_SUCH_USER)) throw error;
    }
    this.#mayExist = false;
  }

  async #create(): Promise<bigint> {
    this.#mayExist = true;
    this.#userId ??= (await this.#client.admin.user.create({ name: this.name })).user_id;
    return this.#userId;
  }
}
