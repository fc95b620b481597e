import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../.dev.env', import.meta.url));

/** Variables for a second terminal. The CLI compares `CARILLON_DEV_URL` with the URL that it calls. */
const names = [
  'CARILLON_URL',
  'CARILLON_APP_ID',
  'CARILLON_ADMIN_TOKEN',
  'CARILLON_DEV_URL',
  'CARILLON_USER_TOKEN',
  'MQTT_PORT',
  'WEBSOCKET_URL',
] as const;

/** Writes variables for a second terminal: `source .dev.env`. The file is removed when the demo stops. */
export async function writeEnvironment(
  variables: Readonly<Record<(typeof names)[number], string>>,
): Promise<AsyncDisposable> {
  const text = names.map((name) => `export ${name}='${variables[name]}'\n`).join('');
  await writeFile(path, text, { mode: 0o600 });
  return {
    // A demo that was started later may have overwritten the file. In that case, the file must not be removed.
    async [Symbol.asyncDispose]() {
      if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true });
    },
  };
}

/** Removes these variables from the environment of the roles, which would warn of unknown settings. */
export function forgetEnvironment(): void {
  for (const name of names) delete process.env[name];
}
