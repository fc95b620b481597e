import { BadControlRequest, parseList, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console. */
export type App = {
  readonly appId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly packageNames: readonly string[];
  /** Channels by id. A private channel requires a template. */
  readonly channels: Readonly<Record<string, 'public' | 'private'>>;
  /** Variables of each template, by template id. */
  readonly templates: Readonly<Record<string, readonly string[]>>;
};

const APPS_MAX = 1000;
const PACKAGES_MAX = 20;
const TEXT_MAX = 256;

export class Apps {
  readonly #bySecret = new Map<string, App>();

  add(app: App): void {
    const isNew = !this.#bySecret.has(app.appSecret);
    if (this.#bySecret.size >= APPS_MAX && isNew)
      throw new BadControlRequest(`the simulator has reached its limit of ${APPS_MAX} apps`);
    this.#bySecret.set(app.appSecret, app);
  }

  /** Returns the app with the given secret. Requests identify an app only by its secret. */
  bySecret(appSecret: string): App | undefined {
    return this.#bySecret.get(appSecret);
  }
}

const demoChannels = { '100123': 'public', '100124': 'private' } as const;
const demoTemplates = { P10001: ['keywords1', 'keywords2'] };

/** The app that exists from the start. */
export const demoApp: App = {
  appId: '2882303761510000001',
  appKey: '5761510000001',
  appSecret: 'demo/xiaomi+secret==',
  packageNames: ['com.example.carillon', 'com.example.carillon.lite'],
  channels: demoChannels,
  templates: demoTemplates,
};

/** Parses an app and gives it the demo app's channels and templates. */
export function parseApp(body: unknown): App {
  const { app_id, app_key, app_secret, package_names } = parseRecord(body);
  return {
    appId: parseString(app_id, 'app_id', TEXT_MAX),
    appKey: parseString(app_key, 'app_key', TEXT_MAX),
    appSecret: parseString(app_secret, 'app_secret', TEXT_MAX),
    packageNames: parseList(package_names, 'package_names', PACKAGES_MAX).map((name) =>
      parseString(name, 'package_names', TEXT_MAX),
    ),
    channels: demoChannels,
    templates: demoTemplates,
  };
}
