import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackages, type PackageName } from '../../scripts/packages/build.ts';

const RUN_MS_MAX = 120_000;

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a program with only the given environment, and returns its exit code and its whole output. */
export function runIn(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const { PATH, HOME } = process.env;
    const options = { cwd, timeout: RUN_MS_MAX, env: { PATH, HOME, ...env } };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

export interface BuiltPackages extends AsyncDisposable {
  readonly tarballs: Readonly<Record<PackageName, string>>;
  /** Creates an empty project with the type `module`, and installs these packages in it. Returns its directory. */
  install(...specifiers: readonly string[]): Promise<string>;
}

/** With `--prefer-offline`, npm asks the registry only for packages that it has not downloaded before. */
const INSTALL_FLAGS = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Runs npm with the environment of this process, which can contain the registry and a proxy. */
async function runNpm(cwd: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runIn(cwd, 'npm', args, process.env);
  assert.equal(code, 0, output);
}

/** Builds and packs all packages, as `npm run packages` does, in a temporary directory. */
export async function packPackages(): Promise<BuiltPackages> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-packages-'));
  const tarballs = await buildPackages(join(directory, 'dist'));
  return {
    tarballs,
    install: async (...specifiers) => {
      const project = await mkdtemp(join(directory, 'project-'));
      await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
      await runNpm(project, ['install', ...INSTALL_FLAGS, ...specifiers]);
      return project;
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
