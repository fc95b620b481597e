import { Argument, type Command, Option } from 'commander';
import { stringifyJson, type VendorEntry, vendors } from '../../sdk/src/index.ts';
import { printFinding } from '../doctor/print-finding.ts';
import { CommandFailed, EXIT_INTERRUPTED, EXIT_REFUSED, EXIT_TERMINATED, UsageError } from '../failure.ts';
import { Inputs } from '../inputs.ts';
import { toObject } from '../request.ts';
import { type Globals, toClient } from '../run-operation.ts';
import { wrapText } from '../table.ts';
import { columnsOf, terminalOf } from '../terminal.ts';
import { toProvider, unknownVendor, vendorNames } from '../vendor-names.ts';
import { Probe, type ProbeOptions } from './probe.ts';
import { ProgressLine } from './progress-line.ts';
import { Redactor } from './redact.ts';
import { dayOf, isConfirmed, stepsNotRun, toReport } from './report.ts';
import { readServiceVersion } from './service-version.ts';
import type { ProbedDevice, ProbedVendor, Step } from './step.ts';
import { checkDirectory, writeReport } from './write-report.ts';

interface CommandOptions {
  readonly vendorToken?: string;
  readonly pushToken?: string;
  readonly badToken?: string;
  readonly environment: string;
  readonly message?: string;
  readonly sendSeconds: string;
  readonly receiptSeconds: string;
  readonly directory: string;
}

/**
 * A vendor token that no phone has. All vendors reject it, because it has the wrong format. The credentials check uses
 * the same token.
 */
const DEFAULT_BAD_TOKEN = 'nobody';

/** Adds `carillon vendor probe`, which checks a vendor's live service with real credentials and a real device. */
export function addProbe(program: Command): void {
  const topic = program
    .command('vendor')
    .description("Check a vendor's live service with a real device")
    .usage('<command> [options]')
    .helpCommand(false);
  topic
    .command('probe')
    .summary('Check a vendor with real credentials and a real device, and write a report')
    .description(
      'Checks the saved credentials with the vendor, sends one notification to your device and one to a bad vendor token, and waits for a receipt. It writes a report without secrets to a new file. It requires an admin token with the scopes push and manage. Use a test phone: with --vendor-token, the vendor token moves to a test device, so start the app again afterwards to bind it again. Ctrl-C ends the probe and deletes the test user and its devices.',
    )
    .usage('<vendor> [options]')
    .configureHelp({ ...topic.configureHelp(), showGlobalOptions: true })
    .addArgument(vendorArgument())
    .option('--vendor-token <token>', "Vendor token of your test phone, as the vendor's SDK returns it")
    .option('--push-token <token>', 'Push token of a device that has a vendor token; also checks receipts from the app')
    .option('--bad-token <token>', 'Vendor token that the vendor must reject, such as that of a phone without the app')
    .addOption(
      new Option('--environment <number>', 'Environment of the credentials: 0 = development, 1 = production')
        .choices(['0', '1'])
        .default('1'),
    )
    .option('--message <json>', 'Message of the notification, as in /push/notify, for fields that the vendor requires')
    .option('--send-seconds <seconds>', 'Maximum time until the vendor responds', '60')
    .option('--receipt-seconds <seconds>', 'Maximum time to wait for a receipt; 0 skips this step', '120')
    .option('--directory <path>', 'Directory for the report', '.')
    .action(async (vendorWord: string, options: CommandOptions, self: Command) => {
      const version = program.version() ?? '';
      process.exitCode = await probe(vendorWord, options, self.optsWithGlobals<Globals>(), version);
    });
}

function vendorArgument(): Argument {
  const argument = new Argument('<vendor>', 'Name of the vendor.');
  // Not `choices()`, which would reject the numbers and the other names.
  argument.argChoices = [...vendorNames];
  return argument;
}

async function probe(
  vendorWord: string,
  commandOptions: CommandOptions,
  { url, app, token, json }: Globals,
  commandVersion: string,
): Promise<number> {
  const inputs = new Inputs();
  const redactor = new Redactor();
  const adminToken = token && (await inputs.read(token, '--token'));
  const options = await toProbeOptions(vendorWord, commandOptions, inputs, redactor);
  if (adminToken) redactor.addSecrets(adminToken);
  await checkDirectory(commandOptions.directory);

  const stop = new AbortController();
  // A value that starts with @ was read already, so it must not be read again.
  const globals = { url, app, token: adminToken?.replace(/^@/, '\\@') } as Globals;
  const client = await toClient({ access: 'token' }, globals, inputs);
  const waitingClient = await toClient({ access: 'token' }, globals, inputs, {
    fetch: (address, init) =>
      fetch(address, { ...init, signal: AbortSignal.any([stop.signal, ...(init?.signal ? [init.signal] : [])]) }),
  });
  const startedAt = new Date();
  const serviceVersion = await readServiceVersion(url as string);
  const steps: Step[] = [];
  const progress = new ProgressLine(process.stderr);
  const onStep = (step: Step) => {
    steps.push(step);
    progress.clear();
    if (!json) process.stdout.write(`${printFinding(step, terminalOf(process.stdout)).join('\n')}\n`);
  };
  const onWait = progress.show.bind(progress);
  const run = new Probe(options, { client, waitingClient, stop: stop.signal, redactor, onStep, onWait });
  const exitCode = await runUntilInterrupted(run, stop, progress);
  if (exitCode !== 0) {
    writeLine(process.stderr, run.leftover ?? 'No report was written.');
    return exitCode;
  }

  const { vendor } = options;
  const facts = {
    vendor,
    deviceKind: options.device.kind,
    hasOwnBadToken: commandOptions.badToken !== undefined,
    startedAt,
    serviceVersion,
    commandVersion,
    hasDefaultUrl: run.hasDefaultUrl,
    steps,
  };
  const path = await writeReport(
    commandOptions.directory,
    `carillon-probe-${vendor.name}-${dayOf(startedAt)}`,
    redactor.redact(toReport(facts)),
  ).catch((cause: unknown) => {
    throw new CommandFailed(`The report cannot be written: ${(cause as Error).message}. Set --directory.`, { cause });
  });
  const failed = steps.some(({ state }) => state === 'wrong');
  if (json) process.stdout.write(`${stringifyJson({ confirmed: isConfirmed(facts), report: path, steps }, 2)}\n`);
  else for (const line of summaryOf(facts, path)) writeLine(process.stdout, line);
  return failed ? EXIT_REFUSED : 0;
}

/**
 * Runs the steps, then deletes what they created. Returns 0, or the exit code of the signal that interrupted them. A
 * second signal ends the command immediately, and prints how to delete the rest.
 */
async function runUntilInterrupted(run: Probe, stop: AbortController, progress: ProgressLine): Promise<number> {
  let exitCode = 0;
  const interrupt = (code: number) => () => {
    progress.clear();
    if (exitCode === 0)
      writeLine(
        process.stderr,
        `Interrupted.${run.leftover === undefined ? '' : ' Deleting the test user and its devices.'}`,
      );
    else {
      if (run.leftover !== undefined) writeLine(process.stderr, run.leftover);
      process.exit(code);
    }
    exitCode = code;
    stop.abort();
  };
  const [onInterrupt, onTerminate] = [interrupt(EXIT_INTERRUPTED), interrupt(EXIT_TERMINATED)];
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  try {
    await run.run();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    progress.clear();
    await run.cleanUp();
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  }
  return exitCode;
}

function summaryOf(facts: Parameters<typeof toReport>[0], path: string): string[] {
  const notRun = stepsNotRun(facts.steps);
  const { displayName } = facts.vendor;
  return [
    '',
    isConfirmed(facts)
      ? `${displayName} is confirmed live.`
      : `${displayName} is not confirmed live: ${facts.steps.some(({ state }) => state === 'wrong') ? 'a step failed' : 'the service does not call the default URL of the vendor'}.`,
    ...(notRun.length === 0 ? [] : [`Not run: ${notRun.join(', ')}.`]),
    `Report: ${path}`,
    'Read the report, and add who ran the probe and whether the phone showed the notification.',
  ];
}

async function toProbeOptions(
  vendorWord: string,
  options: CommandOptions,
  inputs: Inputs,
  redactor: Redactor,
): Promise<ProbeOptions> {
  const device = await toDevice(options, inputs);
  redactor.addSecrets(device.kind === 'new' ? device.vendorToken : device.pushToken);
  const badToken = options.badToken === undefined ? undefined : await inputs.read(options.badToken, '--bad-token');
  if (badToken !== undefined) redactor.addSecrets(badToken);
  return {
    vendor: toVendor(vendorWord, options.environment === '0' ? 0 : 1),
    device,
    badToken: badToken ?? DEFAULT_BAD_TOKEN,
    message:
      options.message === undefined
        ? { title: 'Carillon vendor probe', body: 'This is a test notification. You can dismiss it.' }
        : toObject('--message', await inputs.read(options.message, '--message')),
    sendSeconds: toSeconds('--send-seconds', options.sendSeconds, 1),
    receiptSeconds: toSeconds('--receipt-seconds', options.receiptSeconds, 0),
  };
}

async function toDevice({ vendorToken, pushToken }: CommandOptions, inputs: Inputs): Promise<ProbedDevice> {
  if ((vendorToken === undefined) === (pushToken === undefined))
    throw new UsageError(
      'Set --vendor-token with the vendor token of a test phone, or --push-token with the push token of a device.',
    );
  return vendorToken === undefined
    ? { kind: 'existing', pushToken: await inputs.read(pushToken as string, '--push-token') }
    : { kind: 'new', vendorToken: await inputs.read(vendorToken, '--vendor-token') };
}

function toVendor(word: string, environment: 0 | 1): ProbedVendor {
  const provider = toProvider(word);
  if (provider === undefined) throw new UsageError(unknownVendor('The argument', word));
  return { ...(vendors[provider] as VendorEntry), provider, environment };
}

const SECONDS_MAX = 3_600;

function toSeconds(flag: string, text: string, min: number): number {
  const seconds = Number(text);
  if (!/^\d{1,5}$/.test(text) || seconds < min || seconds > SECONDS_MAX)
    throw new UsageError(`${flag} must be a number of seconds from ${min} to ${SECONDS_MAX}, not "${text}".`);
  return seconds;
}

const writeLine = (stream: NodeJS.WriteStream, line: string): void => {
  stream.write(`${wrapText(line, columnsOf(stream) - 1).join('\n')}\n`);
};
