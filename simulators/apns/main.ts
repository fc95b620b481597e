import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startApnsSimulator } from './simulator.ts';

const PORT_MAX = 65_535;
const SLOW_MS_MAX = 10 * 60 * 1000;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    'ca-file': { type: 'string' },
    'slow-ms': { type: 'string', default: '2000' },
    'production-port': { type: 'string', default: '0' },
    'sandbox-port': { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
  },
});

const simulator = await startApnsSimulator({
  slowMs: readNumber('slow-ms', SLOW_MS_MAX),
  productionPort: readNumber('production-port', PORT_MAX),
  sandboxPort: readNumber('sandbox-port', PORT_MAX),
  controlPort: readNumber('control-port', PORT_MAX),
});
const ownDirectory = values['ca-file'] === undefined ? await mkdtemp(join(tmpdir(), 'pretend-apns-')) : undefined;
const caFile = values['ca-file'] ?? join(ownDirectory ?? '', 'ca.pem');
await writeFile(caFile, simulator.caPem);

// Before the line is printed: whoever reads it may stop us at once.
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

const facts = {
  production_url: simulator.productionUrl,
  sandbox_url: simulator.sandboxUrl,
  control_url: simulator.controlUrl,
  ca_file: caFile,
  key_id: simulator.credentials.keyId,
  team_id: simulator.credentials.teamId,
  topic: simulator.credentials.topic,
  p8: simulator.credentials.p8Pem,
};
if (values.json) console.log(JSON.stringify(facts));
else for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${value}`);

/** Nothing is left to do afterwards, so the process ends by itself with exit code 0. */
function stop(): void {
  void simulator.stop().then(async () => {
    if (ownDirectory !== undefined) await rm(ownDirectory, { recursive: true, force: true });
  });
}

function readNumber(name: 'slow-ms' | 'production-port' | 'sandbox-port' | 'control-port', max: number): number {
  const number = Number(values[name]);
  if (!/^\d+$/.test(values[name]) || number > max) throw new Error(`--${name} must be a number from 0 to ${max}`);
  return number;
}
