import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { BadControlRequest, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console. Its project has the service account. */
export type App = {
  readonly projectId: string;
  /** OAuth client ID of the app, which only the revoke endpoint uses. */
  readonly clientId: string;
  readonly serviceAccount: ServiceAccount;
};
type ServiceAccount = { readonly keyId: string; readonly subAccount: string; readonly publicKey: KeyObject };

const APPS_MAX = 1000;
const TEXT_MAX = 256;
const RSA_BITS = 2048;

export class Apps {
  readonly #byProject = new Map<string, App>();

  add(app: App): void {
    if (this.#byProject.size >= APPS_MAX && !this.#byProject.has(app.projectId))
      throw new BadControlRequest(`the simulator has reached its limit of ${APPS_MAX} apps`);
    this.#byProject.set(app.projectId, app);
  }

  byServiceKey(keyId: string): App | undefined {
    return [...this.#byProject.values()].find(({ serviceAccount }) => serviceAccount.keyId === keyId);
  }
}

/** Creates an app with a new service account, and returns the service-account file as an operator downloads it. */
export function createApp({ projectId, clientId }: Pick<App, 'projectId' | 'clientId'>): {
  app: App;
  serviceAccountJson: string;
} {
  const pair = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const keyId = `key-of-${projectId}`;
  const subAccount = `9${clientId}`;
  const app = { projectId, clientId, serviceAccount: { keyId, subAccount, publicKey: pair.publicKey } };
  const serviceAccountJson = JSON.stringify({
    project_id: projectId,
    key_id: keyId,
    private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    sub_account: subAccount,
    auth_uri: 'https://oauth-login.cloud.huawei.com/oauth2/v3/authorize',
    token_uri: TOKEN_URI,
  });
  return { app, serviceAccountJson };
}

/** The app that exists from the start. */
export const DEMO_APP = { projectId: '736430079244000101', clientId: '100000101' };

/** The audience of a JWT is always the real URL, even if the JWT is sent to a simulator. */
export const TOKEN_URI = 'https://oauth-login.cloud.huawei.com/oauth2/v3/token';

export function parseApp(body: unknown): Pick<App, 'projectId' | 'clientId'> {
  const { project_id, client_id } = parseRecord(body);
  return {
    projectId: parseString(project_id, 'project_id', TEXT_MAX),
    clientId: parseString(client_id, 'client_id', TEXT_MAX),
  };
}
