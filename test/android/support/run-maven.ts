import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Lines of Maven's output that the message of a failed test contains. */
const TAIL_LINES_MAX = 80;

export interface MavenResult {
  readonly code: number | null;
  readonly output: string;
  /** The last lines of the output. */
  readonly tail: string;
}

/** Runs Maven in `sdks/android`. Ends it if the caller does. */
export async function runMaven(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<MavenResult> {
  const child = spawn('mvn', args, {
    cwd: fileURLToPath(new URL('../../../sdks/android', import.meta.url)),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const output = Buffer.concat(chunks).toString();
  return { code, output, tail: output.split('\n').slice(-TAIL_LINES_MAX).join('\n') };
}
