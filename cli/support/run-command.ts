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

/** On a busy machine node alone takes seconds to start. */
const RUN_MS_MAX = 60_000;

/** Runs the command as a shell would, with the environment that is given and no other. */
export async function run(args: readonly string[], env: Environment = {}, input = ''): Promise<CommandResult> {
  const child = spawn(process.execPath, [cliPath, ...args], { env, timeout: RUN_MS_MAX });
  // A command that does not want its input ends without reading it.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return { code, stdout, stderr };
}

/** Where a peer is, and who calls. */
export const environmentFor = ({ url }: StubServer) => ({
  CARILLON_URL: url,
  CARILLON_APP_ID: 'bells',
  CARILLON_ADMIN_TOKEN: 'ca_1',
});

export interface TypedInput {
  /** When this is seen, */
  readonly after: string;
  /** this is typed. */
  readonly type: string;
}

/** Runs the command on a terminal of so many columns, and answers all that was written to it. */
export async function runOnTerminal(
  args: readonly string[],
  env: Environment,
  { columns = 80, typed = [] }: { columns?: number; typed?: readonly TypedInput[] } = {},
): Promise<{ code: number | null; output: string }> {
  const quoted = [process.execPath, cliPath, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = `stty cols ${columns} rows 24; exec ${quoted.join(' ')}`;
  // `script` is a terminal for a program.
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

/** What a terminal shows while a program draws over its own lines: the text of each drawing, without colours. */
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
