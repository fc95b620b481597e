import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Role, type RoleProcess, waitUntilStarted } from '../../scripts/dev/role-process.ts';
import type { CommandResult } from '../support/run-command.ts';
import type { Image } from './build-image.ts';

type Settings = Readonly<Record<string, string>>;

const MS_MAX = 60_000;

/** Runs an image until it exits, like `docker run`: with the environment and the user of the image. */
export function runImage(image: Image, words: readonly string[], settings: Settings): Promise<CommandResult> {
  const { program, args, options } = launchOf(image, words, settings);
  return new Promise((resolve) => {
    execFile(program, args, { ...options, timeout: MS_MAX }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** Starts a role of an image and waits until it has started. */
export function startImage(image: Image, role: Role, settings: Settings): Promise<RoleProcess> {
  const { program, args, options } = launchOf(image, [...image.entrypoint, role], settings);
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  return waitUntilStarted(role, child);
}

/** Starts the image of the simulators or the demo, and waits for the line with their addresses. */
export async function startImageWithFlags(image: Image, flags: readonly string[]) {
  const { program, args, options } = launchOf(image, [...image.entrypoint, ...flags], {});
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    return ((await exit) as [number | null])[0];
  };
  const ended = exit.then(([code]) => Promise.reject(new Error(`The image exited with code ${code}.`)));
  const [firstLine] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  ended.catch(() => undefined); // from here on, an exit is expected
  return { firstLine, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

/**
 * Returns the program and its options. The user is switched only if the test runs as root. All users can read the files
 * and none can write them, so results are the same without root.
 */
function launchOf(image: Image, [program = '', ...args]: readonly string[], settings: Settings) {
  const [uid, gid] = image.user.split(':').map(Number);
  const programs = join(image.root, 'usr/local/bin');
  return {
    program: join(programs, program),
    args,
    options: {
      cwd: join(image.root, image.workdir),
      env: { PATH: programs, ...image.environment, ...settings },
      ...(process.getuid?.() === 0 && { uid, gid }),
    },
  };
}
