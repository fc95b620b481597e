import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** A file of the console with its compressed form, if the build contains one. */
export interface ConsoleFile {
  readonly type: string;
  readonly content: Buffer;
  readonly gzip: Buffer | undefined;
}

/** The build of the console. */
export interface ConsoleFiles {
  /** The page with placeholders for the nonce. */
  readonly page: string;
  /** The other files by their path below `/console/`. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the build of the console into memory: it has less than 2 MB, and a request can then name no other file of this
 * machine. Returns undefined if the console was not built.
 */
export function readConsoleFiles(): ConsoleFiles | undefined {
  const names = globSync('**/*.*', { cwd: directory });
  if (!names.includes('index.html')) return undefined;
  const read = (name: string) => readFileSync(join(directory, name));
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const type = types[name.split('.').at(-1) as string];
    if (type === undefined) continue;
    const gzip = names.includes(`${name}.gz`) ? read(`${name}.gz`) : undefined;
    files.set(name, { type, content: read(name), gzip });
  }
  return { page: read('index.html').toString(), files };
}
