import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../.dev.env', import.meta.url));

/** Leaves variables where a second terminal takes them from: `source .dev.env`. They go when what they lead to goes. */
export async function writeEnvironment(variables: Readonly<Record<string, string>>): Promise<AsyncDisposable> {
  const text = Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');
  await writeFile(path, text, { mode: 0o600 });
  return {
    // Whoever was started after us has written its own over it.
    async [Symbol.asyncDispose]() {
      if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true });
    },
  };
}
