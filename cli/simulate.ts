import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { type VendorEntry, vendors } from '../sdk/src/index.ts';
import { EXIT_INTERRUPTED, EXIT_REFUSED, EXIT_TERMINATED, UsageError } from './failure.ts';
import type { Globals } from './run-operation.ts';
import { printChannel, toProvider, unknownVendor, vendorNames } from './vendor-names.ts';

/** Returns the name of a simulator, which is the name of the vendor in the API. */
function toSimulator(word: string): string {
  const provider = toProvider(word);
  if (provider === undefined) throw new UsageError(unknownVendor('--only', word));
  return (vendors[provider] as VendorEntry).name;
}

interface SimulateOptions {
  readonly only?: readonly string[];
  readonly port?: readonly string[];
  readonly slowMs?: string;
  readonly caFile?: string;
}

/** Adds `carillon simulate`, which runs only the vendor simulators, for testing an app or an installation. */
export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .summary('Run the vendor simulators for testing')
    .description(
      'Runs the simulators of all vendors until Ctrl-C. It prints their URLs, the CA certificate to trust, and credentials for each vendor. The name of a vendor token determines the result of a notification: live-1, dead-1, slow-1. simulators/README.md lists all names.',
    )
    .usage('[options]')
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: true })
    .addOption(onlyOption())
    .option('--port <name=port...>', 'Fixed port, such as apns-production=8443; other ports are chosen automatically')
    .option('--slow-ms <milliseconds>', 'Response delay for vendor tokens that start with slow-')
    .option('--ca-file <path>', 'File for the CA certificate to trust')
    .action(async (options: SimulateOptions, self: Command) => {
      process.exitCode = await simulate(await toFlags(options, self.optsWithGlobals<Globals>()));
    });
}

function onlyOption(): Option {
  const option = new Option('--only <vendor...>', 'Run only these simulators');
  // Not `choices()`, which would reject the other names of a vendor.
  option.argChoices = [...vendorNames];
  return option;
}

async function toFlags({ only, port, slowMs, caFile }: SimulateOptions, { json }: Globals): Promise<string[]> {
  if (slowMs !== undefined && !/^\d{1,6}$/.test(slowMs))
    throw new UsageError(`--slow-ms must be a number of milliseconds, not "${slowMs}".`);
  return [
    ...(json ? ['--json'] : []),
    ...(only === undefined ? [] : ['--only', only.map(toSimulator).join(',')]),
    ...(slowMs === undefined ? [] : ['--slow-ms', slowMs]),
    ...(caFile === undefined ? [] : ['--ca-file', caFile]),
    ...(port === undefined ? [] : await toPorts(port)),
  ];
}

async function toPorts(assignments: readonly string[]): Promise<string[]> {
  const { vendors: simulators } = await import('../simulators/vendors.ts');
  const flags = new Map<string, string>(
    Object.entries(simulators).flatMap(([vendor, { ports }]) =>
      ports.map((port) => [`${printChannel(vendor)}-${port}`, `--${vendor}-${port}-port`] as const),
    ),
  );
  return assignments.flatMap((assignment) => {
    const [, name = '', port = ''] = /^([a-z-]+)=(\d{1,5})$/.exec(assignment) ?? [];
    const flag = flags.get(name);
    if (flag === undefined || Number(port) > 65_535)
      throw new UsageError(
        `--port must have the form name=port, not "${assignment}". Names: ${[...flags.keys()].join(', ')}.`,
      );
    return [flag, port];
  });
}

/** Runs the simulators in a child process, like `npm run simulators`. Returns its exit code. */
async function simulate(flags: readonly string[]): Promise<number> {
  // The extension is .ts in a checkout, and .js in the package.
  const program = fileURLToPath(new URL(`../simulators/main${extname(import.meta.url)}`, import.meta.url));
  const child = spawn(process.execPath, [program, ...flags], { stdio: 'inherit' });
  // Ctrl-C reaches both processes. A signal to this process alone is forwarded; a second signal has no effect.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    // A child that is stopped during startup has no signal handler yet, so the signal terminates it.
    child.once('error', reject).once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal)));
  });
}

const exitCodeOf = (signal: NodeJS.Signals | null): number =>
  signal === 'SIGINT' ? EXIT_INTERRUPTED : signal === 'SIGTERM' ? EXIT_TERMINATED : EXIT_REFUSED;
