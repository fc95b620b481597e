import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ARCHIVE_BYTES_MAX = 256 * 1024 * 1024;

/** Returns the commit that this version must be compatible with, from `migrations/README.md`. */
export function previousCommit(): string {
  const commit = /^Version before: `([0-9a-f]{40})`$/m.exec(
    readFileSync(join(root, 'migrations/README.md'), 'utf8'),
  )?.[1];
  if (!commit) throw new Error('migrations/README.md has no line "Version before: `<commit>`".');
  return commit;
}

/**
 * Returns why the previous version is not available in this checkout and the next step, or undefined if it is
 * available.
 */
export function previousVersionSkipReason(): string | undefined {
  const commit = previousCommit();
  if (git('rev-parse', '--is-inside-work-tree') === undefined)
    return 'This is not a Git checkout. Clone the repository to run this test.';
  if (git('cat-file', '-e', `${commit}^{commit}`) !== undefined) return undefined;
  if (git('rev-parse', '--is-shallow-repository')?.toString().trim() === 'true')
    return `This clone is shallow and does not contain ${commit.slice(0, 7)}, the previous version. Run \`git fetch --unshallow\` first.`;
  throw new Error(`migrations/README.md names commit ${commit}, which the repository does not contain.`);
}

/** Returns a file of the previous version, or undefined if it did not exist. */
export const readPreviousFile = (path: string): string | undefined =>
  git('show', `${previousCommit()}:${path}`)?.toString();

/** Returns the names of the files in a folder of the previous version. */
export function listPreviousFiles(folder: string): string[] {
  const list = git('ls-tree', '--name-only', `${previousCommit()}:${folder}`)?.toString() ?? '';
  return list.split('\n').filter((name) => name !== '');
}

/** The files of the previous version, with the packages of this version. */
export interface PreviousVersion extends AsyncDisposable {
  readonly root: string;
  /** Packages whose version has changed, which can explain why the previous version does not start. */
  readonly changedPackages: readonly string[];
}

/** Only the parts that are needed to run the previous version, without tests and documentation. */
const PARTS = ['src', 'migrations', 'package.json'];

export async function unpackPreviousVersion(): Promise<PreviousVersion> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-before-'));
  const archive = git('archive', '--format=tar', previousCommit(), ...PARTS);
  if (!archive) throw new Error('git archive failed.');
  await writeFile(join(directory, 'before.tar'), archive);
  execFileSync('tar', ['-xf', 'before.tar'], { cwd: directory });
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  const [previousPackages, currentPackages] = await Promise.all([directory, root].map(dependenciesOf));
  return {
    root: directory,
    changedPackages: Object.entries(previousPackages as Packages)
      .filter(([name, version]) => currentPackages?.[name] !== version)
      .map(([name, version]) => `${name} ${version} (installed: ${currentPackages?.[name] ?? 'none'})`),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Returns an error for a failed start, with a possible reason. */
export function explainStartFailure({ changedPackages }: PreviousVersion, cause: unknown): Error {
  const packages =
    changedPackages.length === 0
      ? 'It uses the same packages as this version.'
      : `It was written for other package versions than those in node_modules, which can be the reason: ${changedPackages.join('; ')}.`;
  return new Error(`The previous version (${previousCommit().slice(0, 7)}) does not start. ${packages}`, {
    cause,
  });
}

type Packages = Readonly<Record<string, string>>;

async function dependenciesOf(directory: string): Promise<Packages> {
  return (JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { dependencies: Packages })
    .dependencies;
}

function git(...args: readonly string[]): Buffer | undefined {
  try {
    return execFileSync('git', args, { cwd: root, maxBuffer: ARCHIVE_BYTES_MAX, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
