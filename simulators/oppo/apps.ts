import { BadControlRequest, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console. */
export type App = { readonly appId: string; readonly appKey: string; readonly masterSecret: string };

const APPS_MAX = 1000;
const TEXT_MAX = 256;

export class Apps {
  readonly #byKey = new Map<string, App>();

  add(app: App): void {
    if (this.#byKey.size >= APPS_MAX && !this.#byKey.has(app.appKey))
      throw new BadControlRequest(`the simulator has reached its limit of ${APPS_MAX} apps`);
    this.#byKey.set(app.appKey, app);
  }

  byKey(appKey: string): App | undefined {
    return this.#byKey.get(appKey);
  }
}

/** The app that exists from the start. */
export const demoApp: App = { appId: '30000001', appKey: 'demo-oppo+key', masterSecret: 'demo-oppo-master&secret' };

export function parseApp(body: unknown): App {
  const { app_id, app_key, master_secret } = parseRecord(body);
  return {
    appId: parseString(app_id, 'app_id', TEXT_MAX),
    appKey: parseString(app_key, 'app_key', TEXT_MAX),
    masterSecret: parseString(master_secret, 'master_secret', TEXT_MAX),
  };
}
