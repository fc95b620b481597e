import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ARCHIVE_BYTES_MAX = 256 * 1024 * 1024;

/** The commit that this version must get along with, as `migrations/README.md` tells it. */
export function previousCommit(): string {
  const commit = /^Version before: `([0-9a-f]{40})`$/m.exec(
    readFileSync(join(root, 'migrations/README.md'), 'utf8'),
  )?.[1];
  if (!commit) throw new Error('migrations/README.md has no line "Version before: `<commit>`".');
  return commit;
}

/** Why the version before cannot be looked at here, and what to do; undefined if it can. */
export function previousVersionSkipReason(): string | undefined {
  const commit = previousCommit();
  if (git('rev-parse', '--is-inside-work-tree') === undefined)
    return 'This is no Git checkout. Clone the repository to run this.';
  if (git('cat-file', '-e', `${commit}^{commit}`) !== undefined) return undefined;
  if (git('rev-parse', '--is-shallow-repository')?.toString().trim() === 'true')
    return `This clone is shallow and has no ${commit.slice(0, 7)}, the version before. Run \`git fetch --unshallow\` first.`;
  throw new Error(`migrations/README.md names ${commit}, and the repository has no such commit.`);
}

/** A file of the version before. Undefined: it had none. */
export const readPreviousFile = (path: string): string | undefined =>
  git('show', `${previousCommit()}:${path}`)?.toString();

/** The names of the files that it had in a folder. */
export function listPreviousFiles(folder: string): string[] {
  const list = git('ls-tree', '--name-only', `${previousCommit()}:${folder}`)?.toString() ?? '';
  return list.split('\n').filter((name) => name !== '');
}

/** The version before as files, on the packages of this one. */
export interface PreviousVersion extends AsyncDisposable {
  readonly root: string;
  /** For whoever wonders why it does not run: what it was written for, and what is here. */
  readonly changedPackages: readonly string[];
}

/** Only what runs: its tests and documents do not. */
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
      .map(([name, version]) => `${name} ${version}, and here is ${currentPackages?.[name] ?? 'none'}`),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** An error of its start, with what may be the reason. */
export function explainStartFailure({ changedPackages }: PreviousVersion, cause: unknown): Error {
  const packages =
    changedPackages.length === 0
      ? 'Its packages are those of this version.'
      : `It was written for other packages than those in node_modules, which may be why: ${changedPackages.join('; ')}.`;
  return new Error(`The version before (${previousCommit().slice(0, 7)}) does not run here. ${packages}`, { cause });
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
