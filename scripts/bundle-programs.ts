import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

const programs = {
  api: 'src/bin/api.ts',
  gateway: 'src/bin/gateway.ts',
  worker: 'src/bin/worker.ts',
  simulators: 'simulators/main.ts',
} as const;

/** The name of a bundled program. */
export type Bundle = keyof typeof programs;

/**
 * Bundles the programs that most tests start, each with its packages. Loading their files takes most of the time of a
 * short test. A module keeps its own address, so it finds the files next to its source, such as migrations and worker
 * threads.
 */
export async function bundlePrograms(directory: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    external: 'pg-native',
    plugins: [{ name: 'addresses', transform: { filter: { code: 'import.meta' }, handler: keepAddress } }],
  });
  // With another extension, Node.js would parse each file once more to detect that it is a module.
  await bundle.write({ dir: directory, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
}

function keepAddress(code: string, file: string): string {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)));
}
