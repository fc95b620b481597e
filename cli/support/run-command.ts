import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { StubServer } from '../../sdk/support/stub-server.ts';

export const cliPath = fileURLToPath(new URL('../carillon.ts', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** Maximum run time of a command. Node.js alone takes seconds to start on a busy machine. */
const RUN_MS_MAX = 60_000;

/** Runs the command like a shell, with only the given environment. */
export async function run(args: readonly string[], env: Environment = {}, input = ''): Promise<CommandResult> {
  const child = spawn(process.execPath, [cliPath, ...args], { env, timeout: RUN_MS_MAX });
  // A command may exit without reading its input. The resulting write error is ignored.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return { code, stdout, stderr };
}

/** Returns the environment for calling a stub server. */
export const environmentFor = ({ url }: StubServer) => ({
  CARILLON_URL: url,
  CARILLON_APP_ID: 'bells',
  CARILLON_ADMIN_TOKEN: 'ca_1',
});

export interface TypedInput {
  /** Output to wait for. */
  readonly after: string;
  /** Input to type after that output. */
  readonly type: string;
}

/** Runs the command on a terminal with the given number of columns. Returns everything written to it. */
export async function runOnTerminal(
  args: readonly string[],
  env: Environment,
  { columns = 80, typed = [] }: { columns?: number; typed?: readonly TypedInput[] } = {},
): Promise<{ code: number | null; output: string }> {
  const quoted = [process.execPath, cliPath, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = `stty cols ${columns} rows 24; exec ${quoted.join(' ')}`;
  // `script` provides a terminal.
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
    timeout: RUN_MS_MAX,
  });
  const remainingInputs = [...typed];
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (remainingInputs[0] && output.includes(remainingInputs[0].after))
      terminal.stdin.write((remainingInputs.shift() as TypedInput).type);
  });
  const code = await new Promise<number | null>((resolve) => terminal.once('close', resolve));
  return { code, output };
}

/** Returns the frames that a program draws over its own lines, as text without colours. */
export function framesOf(output: string): string[][] {
  return output
    .split('\u001b[?25l')
    .slice(1)
    .map((frame) =>
      frame
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor is what it looks for.
        .replaceAll(/\u001b\[\??[\d;]*[A-Za-z]|\r/g, '')
        .split('\n')
        .filter((line) => line !== ''),
    );
}
