import { createAdminToken, createApp } from '#src/api/create-app.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { insertGroup } from '#src/storage/users/groups.ts';
import { insertUser } from '#src/storage/users/users.ts';
import { addDevice } from '../../support/add-device.ts';
import type { Carillon, Login } from '../../support/carillon.ts';
import { OPERATOR_PASSWORD, seedOperator } from '../../support/operator.ts';
import { type App, ann, lea, type TwoApps } from './two-apps.ts';

/**
 * The objects for valid requests in our app. Some objects are shared by several requests. A request that destroys an
 * object gets a new one.
 */
export class OwnApp {
  readonly app: App;
  readonly taskId: bigint;
  /** An operator who signs in, and one whom requests change. */
  readonly operatorLogin = { email: 'ours@example.com', password: OPERATOR_PASSWORD };
  readonly operatorId: bigint;
  readonly #carillon: Carillon;
  readonly #apps: TwoApps;

  constructor(carillon: Carillon, apps: TwoApps, { taskId, operatorId }: Pick<OwnApp, 'taskId' | 'operatorId'>) {
    this.#carillon = carillon;
    this.#apps = apps;
    this.app = apps.ownApp;
    this.taskId = taskId;
    this.operatorId = operatorId;
  }

  readonly text = (): string => randomText(64);

  /** Creates a user. The other app has a user with the same id, who is logged in on a device. */
  async newUser(): Promise<bigint> {
    const { id: userId } = this.#apps.namedByOtherApp().unused;
    return (await insertUser(this.#carillon.storage.home, { appId: this.app.appId, userId })) as bigint;
  }

  /** Creates a group. The other app has a group with the same id. */
  async newGroup(): Promise<bigint> {
    const { id } = this.#apps.namedByOtherApp().unused;
    return (await insertGroup(this.#carillon.storage.home, this.app.appId, id, 'ours')) as bigint;
  }

  /** Adds a phone. The other app has a phone with the same GUID. */
  newPhone(): Promise<Login> {
    const { text: deviceGuid } = this.#apps.namedByOtherApp().unused;
    return addDevice(this.#carillon.storage, { appId: this.app.appId, userId: lea.userId, deviceGuid });
  }

  async newDraft(): Promise<number> {
    const body = { audience: { user_id: [ann.userId] }, message: { body: 'ours' } };
    return (await this.#carillon.post<{ draft_id: number }>('/push/draft/create', body)).data.draft_id;
  }

  async newToken(): Promise<bigint> {
    const options = { appId: this.app.appId, name: 'ours', scopes: ['manage'] };
    return (await createAdminToken(this.#carillon.storage.home, options)).tokenId;
  }

  /** Creates a third app. */
  async newApp(): Promise<string> {
    const appId = `third-${this.text()}`;
    await createApp(this.#carillon.storage.home, this.#carillon.keyrings.apps, appId, 'third');
    return appId;
  }

  async saveHonor(): Promise<void> {
    const body = { provider: 8, name: 'Honor', app_id: '104400151', app_key: 'client-id', app_secret: 'client-secret' };
    await this.#carillon.post('/admin/certificate/save', body);
  }
}

/** Creates our app's objects, with a task that Ann sent. */
export async function createOwnApp(carillon: Carillon, apps: TwoApps): Promise<OwnApp> {
  const token = apps.ownApp.phone.token;
  const taskId = await carillon.notify({ user_id: [ann.userId] }, { body: 'ours' }, {}, { token });
  const operatorId = await seedOperator(carillon.storage.home, 'changed@example.com');
  const ours = new OwnApp(carillon, apps, { taskId, operatorId });
  await seedOperator(carillon.storage.home, ours.operatorLogin.email);
  return ours;
}
