import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What the simulator prints when it listens. */
export interface ApnsFacts {
  readonly production_url: string;
  readonly sandbox_url: string;
  readonly control_url: string;
  readonly ca_file: string;
  readonly key_id: string;
  readonly team_id: string;
  readonly topic: string;
  readonly p8: string;
}

export interface SimulatorProcess extends AsyncDisposable {
  readonly facts: ApnsFacts;
  /** What a worker has to be told to speak to it instead of to Apple. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the pretend APNs as a process of its own. */
export async function startApnsProcess(): Promise<SimulatorProcess> {
  const program = fileURLToPath(new URL('../../simulators/apns/main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, '--json'], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The APNs simulator ended with ${code}.`))),
  ])) as [string];
  const facts = JSON.parse(line) as ApnsFacts;
  return {
    facts,
    settings: {
      CARILLON_APNS_URL_PRODUCTION: facts.production_url,
      CARILLON_APNS_URL_DEVELOPMENT: facts.sandbox_url,
      NODE_EXTRA_CA_CERTS: facts.ca_file,
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
