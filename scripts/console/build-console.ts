import { existsSync, globSync, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = join(root, 'console/dist');

/** Files whose change requires a new build. The lockfile stands for the installed libraries. */
const SOURCES = ['console/index.html', 'console/public/**', 'console/src/**', 'sdk/src/**', 'package-lock.json'];
/** Files that become much smaller when compressed. */
const COMPRESSED = /\.(js|css|svg)$/;

export interface BuildOptions {
  /** Skips the build if no source file is newer than the last build. */
  readonly ifChanged: boolean;
  readonly log: (line: string) => void;
}

/** Builds the console, and compresses its files, so that the API only has to send them. */
export async function buildConsole({ ifChanged, log }: BuildOptions): Promise<void> {
  if (ifChanged && isUpToDate()) return;
  const startMs = performance.now();
  // Several tests can build at the same time, so each build has a directory of this process until it is complete.
  const temporary = `${output}-${process.pid}`;
  // Loaded only here, because the production image does not contain these packages.
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    configFile: false,
    root: join(root, 'console'),
    base: '/console/',
    logLevel: 'warn',
    plugins: [react()],
    // The API replaces this text in each response.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      outDir: temporary,
      emptyOutDir: true,
      target: 'es2023',
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // A test limits the compressed size instead.
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      // One file for everything that every page needs. Otherwise, each set of pages that share code has its own file,
      // and small files compress badly.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
    },
  });
  const files = globSync('**', { cwd: temporary }).filter((file) => COMPRESSED.test(file));
  await Promise.all(files.map((file) => compress(join(temporary, file))));
  await rm(output, { recursive: true, force: true });
  // If another build was faster, its files are the same.
  await rename(temporary, output).catch(() => rm(temporary, { recursive: true, force: true }));
  log(`The console was built in ${((performance.now() - startMs) / 1000).toFixed(1)} s: console/dist.`);
}

async function compress(file: string): Promise<void> {
  const level = constants.Z_BEST_COMPRESSION;
  await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level }));
}

function isUpToDate(): boolean {
  // The image of the demo contains the build without its sources.
  if (!existsSync(join(root, 'console/index.html'))) return true;
  const built = join(output, 'manifest.json');
  if (!existsSync(built)) return false;
  const builtMs = statSync(built).mtimeMs;
  return globSync(SOURCES, { cwd: root }).every((file) => statSync(join(root, file)).mtimeMs <= builtMs);
}
