import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command from `src/bin/` until it exits, as an operator would. */
export function runBin(
  name: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const program = fileURLToPath(new URL(`../../src/bin/${name}.ts`, import.meta.url));
  return run(process.execPath, [program, ...args], settings);
}

const SECONDS_MAX = 60;
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

export function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const env = { ...process.env, ...environment };
  const options = { env, timeout: SECONDS_MAX * 1_000, maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
