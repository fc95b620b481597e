import { BadControlRequest, parseRecord, parseString } from '../kit/parse-input.ts';

/** An app as defined in the developer console, without its App Secret, which only the phone uses. */
export type App = { readonly appId: string; readonly clientId: string; readonly clientSecret: string };

const APPS_MAX = 1000;
const TEXT_MAX = 256;

export class Apps {
  readonly #byClient = new Map<string, App>();

  add(app: App): void {
    if (this.#byClient.size >= APPS_MAX && !this.#byClient.has(app.clientId)) {
      throw new BadControlRequest(`the simulator has reached its limit of ${APPS_MAX} apps`);
    }
    this.#byClient.set(app.clientId, app);
  }

  byClient(clientId: string): App | undefined {
    return this.#byClient.get(clientId);
  }
}

/**
 * The app that exists from the start. Its secret contains characters that must be form-encoded, so that senders that do
 * not encode it are detected.
 */
export const demoApp: App = {
  appId: '104400001',
  clientId: 'demo-honor-client',
  clientSecret: 'demo+honor&secret=1',
};

export function parseApp(body: unknown): App {
  const { app_id, client_id, client_secret } = parseRecord(body);
  return {
    appId: parseString(app_id, 'app_id', TEXT_MAX),
    clientId: parseString(client_id, 'client_id', TEXT_MAX),
    clientSecret: parseString(client_secret, 'client_secret', TEXT_MAX),
  };
}
