import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { VendorName } from '#src/domain/channel.ts';
import { childArguments } from '../stack/child-arguments.ts';

/** Credentials of a demo app, with the field names of `/push/certificate`. */
export interface VendorCertificate {
  readonly name: string;
  readonly app_id: string;
  readonly app_key: string;
  readonly app_secret: string;
  readonly certificate: string;
}

/**
 * The URLs of a simulator. APNs has one server per environment. The other vendors have one server for sending and one
 * for tokens.
 */
export interface VendorFacts {
  readonly production_url?: string;
  readonly sandbox_url?: string;
  readonly send_url?: string;
  readonly token_url?: string;
  readonly control_url: string;
  readonly certificate: VendorCertificate;
}

export interface SimulatorsProcess extends AsyncDisposable {
  readonly vendors: Readonly<Partial<Record<VendorName, VendorFacts>>>;
  readonly caFile: string;
  /** URL of the page that shows all phones. */
  readonly pageUrl: string;
  /** Settings that make a worker call the simulators instead of the vendors. */
  readonly settings: Readonly<Record<string, string>>;
}

const SOURCE = fileURLToPath(new URL('../../simulators/main.ts', import.meta.url));

/** Starts all or some vendor simulators in one separate process, which ends with this process. */
export async function startSimulators(
  options: {
    readonly only?: readonly VendorName[];
    readonly slowMs?: number;
    /** Ports by the flag of the simulators, such as `page-port`. The others are free ports. */
    readonly ports?: Readonly<Record<string, number>>;
    /** A bundle of the simulators. */
    readonly program?: string;
  } = {},
): Promise<SimulatorsProcess> {
  const { only, slowMs, ports = {}, program = SOURCE } = options;
  const flags = [
    '--json',
    ...(only === undefined ? [] : ['--only', only.join(',')]),
    ...(slowMs === undefined ? [] : ['--slow-ms', slowMs.toString()]),
    ...Object.entries(ports).flatMap(([flag, port]) => [`--${flag}`, port.toString()]),
  ];
  const child = spawn(process.execPath, [...childArguments, program, ...flags], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The simulators exited with code ${code}.`))),
  ])) as [string];
  const facts = JSON.parse(line) as { ca_file: string; page_url: string } & SimulatorsProcess['vendors'];
  const { ca_file: caFile, page_url: pageUrl, ...vendors } = facts;
  const settings = Object.entries(vendors).flatMap(([vendor, facts]) => settingsOf(vendor as VendorName, facts));
  return {
    vendors,
    caFile,
    pageUrl,
    settings: { ...Object.fromEntries(settings), NODE_EXTRA_CA_CERTS: caFile },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function settingsOf(vendor: VendorName, facts: VendorFacts): [string, string][] {
  const name = `CARILLON_${vendor.toUpperCase()}`;
  const settings: readonly (readonly [string, string | undefined])[] = [
    [`${name}_URL_PRODUCTION`, facts.production_url],
    [`${name}_URL_DEVELOPMENT`, facts.sandbox_url],
    [`${name}_URL`, facts.send_url],
    [`${name}_TOKEN_URL`, facts.token_url],
  ];
  return settings.filter((setting): setting is [string, string] => setting[1] !== undefined);
}

/** URLs and credentials of the APNs simulator. The credential fields have Apple's names. */
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
  readonly certificate: VendorCertificate;
  readonly settings: Readonly<Record<string, string>>;
}

export async function startApnsProcess(program?: string): Promise<SimulatorProcess> {
  const simulators = await startSimulators({ only: ['apns'], ...(program && { program }) });
  const { certificate, ...urls } = simulators.vendors.apns as Required<VendorFacts>;
  const { app_id: topic, app_key: key_id, app_secret: team_id, certificate: p8 } = certificate;
  return {
    facts: { ...urls, ca_file: simulators.caFile, key_id, team_id, topic, p8 },
    certificate,
    settings: simulators.settings,
    [Symbol.asyncDispose]: () => simulators[Symbol.asyncDispose](),
  };
}
