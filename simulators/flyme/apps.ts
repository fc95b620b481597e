import { BadControlRequest, parseList, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console. Only VIP apps may show pictures. */
export type App = {
  readonly appId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly packageNames: readonly string[];
  readonly isVip: boolean;
};

const APPS_MAX = 1000;
const TEXT_MAX = 256;
const PACKAGES_MAX = 10;

/**
 * The app that exists from the start. Its secret contains characters that form encoding changes, so that senders that
 * sign the encoded secret are detected.
 */
export const demoApp: App = {
  appId: '100999',
  appKey: 'demo-meizu-key',
  appSecret: 'demo+meizu&secret',
  packageNames: ['com.example.carillon', 'com.example.carillon.lite'],
  isVip: false,
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
  const { app_id, app_key, app_secret, package_names = ['com.example'], vip } = parseRecord(body);
  const appId = parseString(app_id, 'app_id', TEXT_MAX);
  if (!/^\d{1,64}$/.test(appId)) throw new BadControlRequest('app_id must consist of digits');
  return {
    appId,
    appKey: parseString(app_key, 'app_key', TEXT_MAX),
    appSecret: parseString(app_secret, 'app_secret', TEXT_MAX),
    packageNames: parseList(package_names, 'package_names', PACKAGES_MAX).map((name) =>
      parseString(name, 'package_names', TEXT_MAX),
    ),
    isVip: vip === true,
  };
}
