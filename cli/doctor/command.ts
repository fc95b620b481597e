import type { Command } from 'commander';
import { stringifyJson } from '../../sdk/src/index.ts';
import { EXIT_REFUSED, UsageError } from '../failure.ts';
import { Inputs } from '../inputs.ts';
import type { Globals } from '../run-operation.ts';
import { terminalOf } from '../terminal.ts';
import type { Finding } from './finding.ts';
import { checkListeners } from './listeners.ts';
import { printFinding, printSummary } from './print-finding.ts';
import { checkService } from './service.ts';

interface DoctorOptions {
  readonly mqtt?: string;
  readonly websocket?: string;
}

/** Adds `carillon doctor`, which checks the dependencies of an installation and prints the next step for each error. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('Check an installation and report what to fix')
    .description(
      'Checks every endpoint that you configure, and reports errors with the next step. With the settings of the service in the environment (on a server), it checks PostgreSQL, migrations, NATS, clocks, master keys and file limits, and compares the bucket map and the newest tasks of all databases. With --url (from anywhere), it checks the service, its proxy and its TLS certificate. With --app and an admin token that has the scope manage, it also checks vendor credentials, vendor channels and the ceilings of the app. It changes nothing and prints no secrets.',
    )
    .usage('[options]')
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: true })
    .option('--mqtt <url>', 'Also check this MQTT listener: mqtt://host:1883 or mqtts://host:8883')
    .option('--websocket <url>', 'Also check this WebSocket listener: wss://host/mqtt or ws://host:8083/mqtt')
    .action(async (options: DoctorOptions, self: Command) => {
      await runDoctor(options, self.optsWithGlobals<Globals>());
    });
}

async function runDoctor(options: DoctorOptions, globals: Globals): Promise<void> {
  const onServer = isServer(process.env);
  const { mqtt, websocket } = options;
  if (!onServer && !globals.url && !mqtt && !websocket)
    throw new UsageError(
      'No endpoint to check is configured. Set --url or CARILLON_URL, or on a server the settings of the service, such as CARILLON_DATABASE_URL.',
    );
  const inputs = new Inputs();
  const token = globals.token && (await inputs.read(globals.token, '--token'));
  const terminal = terminalOf(process.stdout);
  const findings: Finding[] = [];
  for await (const finding of allFindings(onServer, options, { ...globals, ...(token && { token }) })) {
    findings.push(finding);
    if (!globals.json) process.stdout.write(`${printFinding(finding, terminal).join('\n')}\n`);
  }
  if (globals.json) process.stdout.write(`${stringifyJson(findings, 2)}\n`);
  else process.stdout.write(`\n${printSummary(findings, { onServer, globals }, terminal.columns).join('\n')}\n`);
  if (findings.some(({ state }) => state === 'wrong')) process.exitCode = EXIT_REFUSED;
}

/**
 * Yields all findings. The server checks are loaded only on a server, because a client does not need the PostgreSQL and
 * NATS libraries.
 */
async function* allFindings(onServer: boolean, options: DoctorOptions, globals: Globals): AsyncGenerator<Finding> {
  if (onServer) {
    const { checkServer } = await import('./server/check-server.ts');
    yield* checkServer(process.env);
  }
  if (globals.url) yield* checkService(globals.url, globals);
  yield* checkListeners(options);
}

/** Returns whether the environment has a setting that every role needs, as a value or as a file name. */
const isServer = (environment: NodeJS.ProcessEnv): boolean =>
  ['CARILLON_DATABASE_URL', 'CARILLON_NATS_URLS', 'CARILLON_MASTER_KEYS_APPS'].some(
    (name) => environment[name] !== undefined || environment[`${name}_FILE`] !== undefined,
  );
