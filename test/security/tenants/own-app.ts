import { createAdminToken, createApp } from '#src/api/create-app.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { insertGroup } from '#src/storage/users/groups.ts';
import { insertUser } from '#src/storage/users/users.ts';
import { addDevice } from '../../support/add-device.ts';
import type { Carillon, Login } from '../../support/carillon.ts';
import { type App, ann, lea, type TwoApps } from './two-apps.ts';

/** What good requests of our app are made of: some things that stay, and others each time for those that destroy. */
export class OwnApp {
  readonly app: App;
  readonly taskId: bigint;
  readonly #carillon: Carillon;
  readonly #apps: TwoApps;

  constructor(carillon: Carillon, apps: TwoApps, taskId: bigint) {
    this.#carillon = carillon;
    this.#apps = apps;
    this.app = apps.ownApp;
    this.taskId = taskId;
  }

  readonly text = (): string => randomText(64);

  /** Somebody of theirs has the same ID, and a login and a device. */
  async newUser(): Promise<bigint> {
    const { id: userId } = this.#apps.namedByOtherApp().unused;
    return (await insertUser(this.#carillon.storage.home, { appId: this.app.appId, userId })) as bigint;
  }

  /** A group of theirs has the same ID. */
  async newGroup(): Promise<bigint> {
    const { id } = this.#apps.namedByOtherApp().unused;
    return (await insertGroup(this.#carillon.storage.home, this.app.appId, id, 'ours')) as bigint;
  }

  /** A phone of theirs has the same guid. */
  newPhone(): Promise<Login> {
    const { text: deviceGuid } = this.#apps.namedByOtherApp().unused;
    return addDevice(this.#carillon.storage, { appId: this.app.appId, userId: lea.userId, deviceGuid });
  }

  async newToken(): Promise<bigint> {
    const options = { appId: this.app.appId, name: 'ours', scopes: ['push'] };
    return (await createAdminToken(this.#carillon.storage.home, options)).tokenId;
  }

  /** An app that is neither of the two. */
  async newApp(): Promise<string> {
    const appId = `third-${this.text()}`;
    await createApp(this.#carillon.storage.home, this.#carillon.keyring, appId, 'third');
    return appId;
  }

  async saveHonor(): Promise<void> {
    const body = { provider: 8, name: 'Honor', app_id: '104400151', app_key: 'client-id', app_secret: 'client-secret' };
    await this.#carillon.post('/admin/certificate/save', body);
  }
}

/** With a task of its own, authored by Ann. */
export async function createOwnApp(carillon: Carillon, apps: TwoApps): Promise<OwnApp> {
  const token = apps.ownApp.phone.token;
  return new OwnApp(carillon, apps, await carillon.notify({ user_id: [ann.userId] }, { body: 'ours' }, {}, { token }));
}
