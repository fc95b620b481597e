import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findNats, findPostgres } from '../../scripts/stack/programs.ts';
import { readContext } from './docker-context.ts';
import { readStages, type StageSteps, type Step } from './dockerfile.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

const INSTALL_MS_MAX = 120_000;

/** Result of a stage: a directory that represents its root file system, and its run settings. */
export interface Image {
  readonly root: string;
  workdir: string;
  readonly environment: Record<string, string>;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
}

/** Executes the Dockerfile stage by stage below an empty directory, because tests run without Docker. */
export async function buildImages(directory: string): Promise<Map<string, Image>> {
  const images = new Map<string, Image>();
  for (const stage of readStages(read('Dockerfile'))) {
    const image = startStage(stage, join(directory, stage.name));
    images.set(stage.name, image);
    for (const step of stage.steps) await perform(step, image, images);
  }
  return images;
}

/** Creates the root of a stage with Node, the only part of the official image that the build uses. */
function startStage({ name, base }: StageSteps, root: string): Image {
  if (!base.startsWith(`node:${process.versions.node}-`))
    throw new Error(`Stage ${name} has an unexpected base image: ${base}`);
  const programs = join(root, 'usr/local/bin');
  mkdirSync(programs, { recursive: true });
  try {
    linkSync(process.execPath, join(programs, 'node'));
  } catch {
    copyFileSync(process.execPath, join(programs, 'node')); // hard links do not work across file systems
  }
  return { root, workdir: '/', environment: {}, user: '0', entrypoint: [], command: [], healthcheck: [] };
}

async function perform(step: Step, image: Image, images: ReadonlyMap<string, Image>): Promise<void> {
  switch (step.keyword) {
    case 'WORKDIR':
      image.workdir = resolve(image.workdir, step.words[0] as string);
      mkdirSync(join(image.root, image.workdir), { recursive: true });
      return;
    case 'ENV':
      for (const word of step.words) image.environment[word.split('=')[0] as string] = word.replace(/^[^=]*=/, '');
      return;
    case 'COPY':
      return copy(step, image, images);
    case 'RUN':
      return run(step, image);
    case 'USER':
      image.user = step.words[0] as string;
      return;
    case 'ENTRYPOINT':
      image.entrypoint = step.words;
      return;
    case 'CMD':
      image.command = step.words;
      return;
    case 'HEALTHCHECK':
      image.healthcheck = step.words;
      return;
    case 'LABEL':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`This test does not support the instruction ${step.keyword}.`);
  }
}

/**
 * Runs a COPY step. If the destination ends with a slash, each source keeps its name below it; otherwise the source is
 * copied to the destination path.
 */
function copy({ flags, words }: Step, image: Image, images: ReadonlyMap<string, Image>): void {
  const destination = words.at(-1) as string;
  const target = join(image.root, resolve(image.workdir, destination));
  for (const source of words.slice(0, -1)) {
    const to = destination.endsWith('/') ? join(target, basename(source)) : target;
    mkdirSync(dirname(to), { recursive: true });
    if (flags.from === undefined) copyFromContext(source, to);
    // The build never modifies these thousands of files, so hard links are sufficient.
    else execFileSync('cp', ['--archive', '--link', join(rootOf(flags.from, images), source), to]);
    if (flags.chmod !== undefined) setModes(to, Number.parseInt(flags.chmod, 8));
  }
}

function copyFromContext(source: string, to: string): void {
  const isInContext = readContext(read('.dockerignore'));
  if (!isInContext(source)) throw new Error(`${source} is excluded by .dockerignore`);
  cpSync(join(repository, source), to, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || isInContext(relative(repository, path)),
  });
}

const rootOf = (name: string, images: ReadonlyMap<string, Image>) => (images.get(name) as Image).root;

function setModes(path: string, mode: number): void {
  chmodSync(path, mode);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) setModes(join(path, name), mode);
}

/**
 * Runs `npm ci` and scripts of the image. Any other command would change this machine instead of the image. Debian's
 * packages are not installed: this machine has the same programs.
 */
async function run({ words: [program, ...args] }: Step, image: Image): Promise<void> {
  if (program === 'apt-get') {
    findPostgres();
    findNats();
    return;
  }
  if (program !== 'node' && (program !== 'npm' || args[0] !== 'ci'))
    throw new Error(`This test can only run npm ci and node, not ${program}.`);
  // `npm test` sets the prefix to its own directory, which must not apply to this installation.
  const environment = Object.entries(process.env).filter(([name]) => name !== 'npm_config_local_prefix');
  await promisify(execFile)(program, args, {
    cwd: join(image.root, image.workdir),
    env: { ...Object.fromEntries(environment), npm_config_prefer_offline: 'true' },
    timeout: INSTALL_MS_MAX,
  });
}
