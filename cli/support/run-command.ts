import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Peer } from '../../sdk/support/stub-server.ts';

export const carillon = fileURLToPath(new URL('../carillon.ts', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** On a busy machine node alone takes seconds to start. */
const RUN_MS_MAX = 60_000;

/** Runs the command as a shell would, with the environment that is given and no other. */
export async function run(args: readonly string[], env: Environment = {}, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [carillon, ...args], { env, timeout: RUN_MS_MAX });
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
export const toPeer = ({ url }: Peer) => ({
  CARILLON_URL: url,
  CARILLON_APP_ID: 'bells',
  CARILLON_ADMIN_TOKEN: 'ca_1',
});

export interface Typed {
  /** When this is seen, */
  readonly after: string;
  /** this is typed. */
  readonly type: string;
}

/** Runs the command on a terminal of so many columns, and answers all that was written to it. */
export async function runOnTerminal(
  args: readonly string[],
  env: Environment,
  { columns = 80, typed = [] }: { columns?: number; typed?: readonly Typed[] } = {},
): Promise<{ code: number | null; seen: string }> {
  const quoted = [process.execPath, carillon, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = `stty cols ${columns} rows 24; exec ${quoted.join(' ')}`;
  // `script` is a terminal for a program.
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
    timeout: RUN_MS_MAX,
  });
  const left = [...typed];
  let seen = '';
  terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk;
    if (left[0] && seen.includes(left[0].after)) terminal.stdin.write((left.shift() as Typed).type);
  });
  const code = await new Promise<number | null>((resolve) => terminal.once('close', resolve));
  return { code, seen };
}

/** What a terminal shows while a program draws over its own lines: the text of each drawing, without colours. */
export function framesOf(seen: string): string[][] {
  return seen
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
