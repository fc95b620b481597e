import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../.dev.env', import.meta.url));

/** Writes variables for a second terminal: `source .dev.env`. The file is removed when the demo stops. */
export async function writeEnvironment(variables: Readonly<Record<string, string>>): Promise<AsyncDisposable> {
  const text = Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');
  await writeFile(path, text, { mode: 0o600 });
  return {
    // A demo that was started later may have overwritten the file. In that case, the file must not be removed.
    async [Symbol.asyncDispose]() {
      if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true });
    },
  };
}
