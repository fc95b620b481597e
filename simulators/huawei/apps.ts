import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { BadControlRequest, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console. */
export type App = {
  readonly appId: string;
  readonly projectId: string;
  readonly appSecret: string;
  readonly serviceAccount?: ServiceAccount;
};
type ServiceAccount = { readonly keyId: string; readonly subAccount: string; readonly publicKey: KeyObject };

const APPS_MAX = 1000;
const TEXT_MAX = 256;
const RSA_BITS = 2048;

export class Apps {
  readonly #byId = new Map<string, App>();

  add(app: App): void {
    if (this.#byId.size >= APPS_MAX && !this.#byId.has(app.appId))
      throw new BadControlRequest(`the simulator has reached its limit of ${APPS_MAX} apps`);
    this.#byId.set(app.appId, app);
  }

  get(appId: string): App | undefined {
    return this.#byId.get(appId);
  }

  byServiceKey(keyId: string): App | undefined {
    return [...this.#byId.values()].find(({ serviceAccount }) => serviceAccount?.keyId === keyId);
  }
}

/**
 * Creates the app that exists from the start. Its secret contains characters that must be form-encoded, so that senders
 * that do not encode it are detected.
 */
export function createDemoApp(): { app: App; serviceAccountJson: string } {
  const pair = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const app = {
    appId: '100000001',
    projectId: '736430079244000001',
    appSecret: 'demo+huawei&secret=1',
    serviceAccount: { keyId: 'demo-huawei-key', subAccount: '100000002', publicKey: pair.publicKey },
  };
  const serviceAccountJson = JSON.stringify({
    project_id: app.projectId,
    key_id: app.serviceAccount.keyId,
    private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    sub_account: app.serviceAccount.subAccount,
    auth_uri: 'https://oauth-login.cloud.huawei.com/oauth2/v3/authorize',
    token_uri: TOKEN_URI,
  });
  return { app, serviceAccountJson };
}

/** The audience of a JWT is always the real URL, even if the JWT is sent to a simulator. */
export const TOKEN_URI = 'https://oauth-login.cloud.huawei.com/oauth2/v3/token';

export function parseApp(body: unknown): App {
  const { app_id, project_id, app_secret } = parseRecord(body);
  const appId = parseString(app_id, 'app_id', TEXT_MAX);
  if (!/^\d{1,64}$/.test(appId)) throw new BadControlRequest('app_id must consist of digits');
  return {
    appId,
    projectId: parseString(project_id, 'project_id', TEXT_MAX),
    appSecret: parseString(app_secret, 'app_secret', TEXT_MAX),
  };
}
