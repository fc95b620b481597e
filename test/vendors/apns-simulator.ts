import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '#src/domain/outcome.ts';
import type { VendorSend } from '#src/vendors/sender.ts';

/** The simulator's delay for a `slow-` token. */
const SLOW_MS = 3_000;

/** The URLs and the key of the simulator, in Apple's terms. */
interface SimulatorInfo {
  readonly production_url: string;
  readonly sandbox_url: string;
  readonly control_url: string;
  readonly ca_file: string;
  readonly key_id: string;
  readonly team_id: string;
  readonly topic: string;
  readonly p8: string;
}

export interface Simulator extends AsyncDisposable {
  readonly facts: SimulatorInfo;
  readonly process: ChildProcess;
}

/**
 * Starts the APNs simulator in a separate process, so that it can be frozen and killed. After the start, this process
 * trusts its TLS certificate.
 */
export async function startSimulator(): Promise<Simulator> {
  const program = fileURLToPath(new URL('../../simulators/main.ts', import.meta.url));
  const flags = ['--json', '--only', 'apns', '--slow-ms', String(SLOW_MS)];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL')); // also if the runner ends this file early
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const facts = factsOf(JSON.parse(line) as SimulatorOutput);
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(facts.ca_file, 'utf8')]);
  return {
    facts,
    process: child,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      child.kill('SIGCONT'); // a frozen process handles SIGTERM only after this signal
      await once(child, 'exit');
    },
  };
}

/** The output of the simulators when they are ready. */
interface SimulatorOutput {
  readonly ca_file: string;
  readonly apns: Pick<SimulatorInfo, 'production_url' | 'sandbox_url' | 'control_url'> & {
    readonly certificate: Readonly<Record<'app_id' | 'app_key' | 'app_secret' | 'certificate', string>>;
  };
}

function factsOf({ ca_file, apns: { certificate, ...urls } }: SimulatorOutput): SimulatorInfo {
  const { app_id: topic, app_key: key_id, app_secret: team_id, certificate: p8 } = certificate;
  return { ...urls, ca_file, key_id, team_id, topic, p8 };
}

/** Reads a response from the simulator's control API. */
export async function readControl<T>({ facts }: Pick<Simulator, 'facts'>, path: string): Promise<T> {
  return (await (await fetch(`${facts.control_url}${path}`)).json()) as T;
}

export const vendorSendOf = (token: string): VendorSend => ({
  token,
  notification: {
    taskId: 1n,
    deviceId: 64n,
    reference: '1.2.3',
    message: { type: 'text', badge: '+1', body: 'ding' },
    badge: 1,
    notAfter: new Date(Date.now() + 60_000),
  },
});

export const kindsOf = (outcomes: readonly Outcome[]): Outcome['kind'][] => outcomes.map(({ kind }) => kind);
