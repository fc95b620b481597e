#!/usr/bin/env node
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServerIdentity } from './kit/certificate.ts';
import { startControl } from './kit/control.ts';
import { type Phone, renderPhonesPage } from './kit/phones-page.ts';
import { portFlags, type RunningSimulator, vendors } from './vendors.ts';

// `npm run simulators`: runs all vendor simulators in one process, with one shared certificate authority.

const PORT_MAX = 65_535;
const SLOW_MS_MAX = 10 * 60 * 1000;

const usage = `Usage: npm run simulators -- [OPTIONS]
       npx carillon-simulators [OPTIONS]

Starts the vendor simulators, and prints their URLs and credentials. Ctrl-C stops them.

  --only NAMES         start only these simulators, separated by commas (default: all of
                       ${Object.keys(vendors).join(', ')})
  --json               print one line of JSON instead of readable lines
  --ca-file FILE       write the certificate of the certificate authority to this file (default: a temporary file)
  --name HOST          host name through which other machines connect (default: only this machine can connect)
  --page-port N        port of the page with all phones (default: a free port)
  --VENDOR-PART-PORT N port of one server (default: a free port):
                       ${portFlags.map((flag) => `--${flag}`).join('\n                       ')}
  --slow-ms N          delay of the response for a token slow-…, in milliseconds (default: 2000)
  --help               print this text
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(vendors).join(',') },
    'ca-file': { type: 'string' },
    'page-port': { type: 'string', default: '0' },
    name: { type: 'string' },
    'slow-ms': { type: 'string', default: '2000' },
    ...Object.fromEntries(portFlags.map((flag) => [flag, { type: 'string', default: '0' } as const])),
  },
});

if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

await using resources = new AsyncDisposableStack();
const stopSignal = new Promise<void>((resolve) => {
  // The handlers are registered before any output, because the reader of the output may stop the process immediately. A
  // second signal, such as the one that npm forwards, has no effect.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
});

const identity = createServerIdentity(Date.now(), values.name);
const caFile = values['ca-file'] ?? (await createCaFile());
await writeFile(caFile, identity.caPem);
const runningSimulators: [string, RunningSimulator][] = [];
for (const name of values.only.split(',')) runningSimulators.push([name, await start(name)]);

const page = await startControl(
  {
    'GET /': () => ({ status: 200, html: renderPhonesPage(phones()) }),
    'GET /phones': () => ({ status: 200, json: phones() }),
  },
  readNumber('page-port', PORT_MAX),
);
resources.defer(page.stop);

if (values.json) printJson();
else printLines();
await stopSignal;

async function start(name: string): Promise<RunningSimulator> {
  const vendor = vendors[name];
  if (vendor === undefined) throw new Error(`--only must contain only names from: ${Object.keys(vendors).join(', ')}`);
  const ports = vendor.ports.map((port) => [port, readNumber(`${name}-${port}-port`, PORT_MAX)]);
  const simulator = await vendor.start({
    identity,
    slowMs: readNumber('slow-ms', SLOW_MS_MAX),
    ports: Object.fromEntries(ports),
  });
  resources.defer(simulator.stop);
  return simulator;
}

function phones(): Phone[] {
  return runningSimulators.map(([name, { urls, screen }]) => {
    const { phone, colour } = vendors[name] as (typeof vendors)[string];
    return { name, phone, colour, url: urls.control_url ?? '', screen: screen() };
  });
}

async function createCaFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-simulators-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'ca.pem');
}

function printJson(): void {
  const entries = runningSimulators.map(([name, { urls, certificate }]) => [name, { ...urls, certificate }]);
  console.log(JSON.stringify({ ca_file: caFile, page_url: page.url, ...Object.fromEntries(entries) }));
}

/** Prints readable lines. The credentials come last, because they span several lines. */
function printLines(): void {
  console.log(`All phones: ${page.url}`);
  console.log(`CA file to trust: ${caFile}. Press Ctrl-C to stop.`);
  for (const [name, { urls, certificate }] of runningSimulators) {
    console.log(`\n${vendors[name]?.phone} (${name})`);
    for (const [label, value] of [...Object.entries(urls), ...Object.entries(certificate)]) {
      if (value !== '') console.log(`  ${label}: ${value.trimEnd().replaceAll('\n', '\n    ')}`);
    }
  }
}

function readNumber(name: string, max: number): number {
  const text = String((values as Readonly<Record<string, unknown>>)[name]);
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max) throw new Error(`--${name} must be a number from 0 to ${max}`);
  return number;
}
