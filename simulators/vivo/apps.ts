import { BadControlRequest, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console. */
export type App = { readonly appId: string; readonly appKey: string; readonly appSecret: string };

const APPS_MAX = 1000;
const TEXT_MAX = 256;

/** The app that exists from the start. */
export const demoApp: App = {
  appId: '100001',
  appKey: '0a1b2c3d-demo-key',
  appSecret: '9f8e7d6c-demo-secret',
};

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
}

export function parseApp(body: unknown): App {
  const { app_id, app_key, app_secret } = parseRecord(body);
  const appId = parseString(app_id, 'app_id', TEXT_MAX);
  if (!/^[1-9]\d{0,17}$/.test(appId)) throw new BadControlRequest('app_id must consist of digits');
  return {
    appId,
    appKey: parseString(app_key, 'app_key', TEXT_MAX),
    appSecret: parseString(app_secret, 'app_secret', TEXT_MAX),
  };
}
