import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzzConnection } from './fuzz-connection.ts';
import { type FuzzDevice, openFuzzGateway } from './fuzz-gateway.ts';
import { MutationCounts } from './mutation-counts.ts';

// `node test/mqtt/fuzz/run.ts --seed 123 --mutations 1` repeats the connection of one seed. The fuzzer runs in a
// separate process, because Node's test runner tracks every promise, which takes longer than the fuzzing.

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, mutations: { type: 'string', default: '300000' } },
});
const firstSeed = Number(values.seed);
const mutations = Number(values.mutations);

/**
 * Number of concurrent connections. A single connection would spend most of its time waiting. Each seed belongs to one
 * connection, and therefore to one device.
 */
const CONCURRENCY = 32;
/**
 * The limit for one turn of the event loop. It applies to CPU time, so that other processes on the machine do not
 * affect the result.
 */
const BUSY_MS_MAX = 50;
/** The first mutations are not measured, because the code is still being compiled. */
const WARM_UP_MUTATIONS = 5_000;
const GROWTH_BYTES_MAX = 8e6;
/** Below this number of mutations, the share that passes the header and the heap growth are not checked. */
const PROGRESS_EVERY_MUTATIONS = 100_000;

await using gateway = await openFuzzGateway(CONCURRENCY);
const counts = new MutationCounts();
const seeds: number[] = [];
const busy = { ms: 0, seeds: '', since: process.threadCpuUsage() };
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
let heapBytes: number | undefined;
let lastSeed = firstSeed;

async function runConnections(device: FuzzDevice, connectionIndex: number): Promise<void> {
  const first = firstSeed + ((connectionIndex - firstSeed + CONCURRENCY * firstSeed) % CONCURRENCY);
  for (let seed = first; counts.sent < mutations; seed += CONCURRENCY) {
    if (mutations === 1 && seed !== firstSeed) return;
    seeds[connectionIndex] = seed;
    lastSeed = Math.max(lastSeed, seed);
    await fuzzConnection(gateway, device, seed, counts).catch((cause: unknown) => {
      throw new Error(`Seed ${seed} failed.`, { cause });
    });
    if (gateway.logCounts.has('packet-failed'))
      throw new Error(`A packet handler threw an exception for one of the seeds ${seeds}.`);
    if (counts.sent > mutations / 10) heapBytes ??= readHeap();
  }
}

/** Returns the heap size after a garbage collection. */
function readHeap(): number {
  collectGarbage();
  busy.since = process.threadCpuUsage(); // excludes the garbage collection from the measurement
  return process.memoryUsage().heapUsed;
}

/** Records the longest CPU time of one event loop turn, with the seeds of the connections that were running. */
function watch(): void {
  const now = process.threadCpuUsage();
  const ms = (now.user + now.system - busy.since.user - busy.since.system) / 1_000;
  if (ms > busy.ms && counts.sent > WARM_UP_MUTATIONS) Object.assign(busy, { ms, seeds: seeds.join() });
  busy.since = now;
  if (counts.sent < mutations) setImmediate(watch);
}

watch();
process.on('uncaughtException', (error) => {
  console.error(`One of the seeds ${seeds} threw an exception.`, error);
  process.exit(1);
});
await Promise.all(gateway.devices.map(runConnections));
for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve)); // waits until the last connections are closed

const { user, system } = process.cpuUsage();
const share = counts.pastHeader / counts.sent;
console.log(counts.table());
console.log(`seeds ${firstSeed} to ${lastSeed}, ${((user + system) / 1e6).toFixed(1)} s of CPU time`);
console.log(`${(100 * share).toFixed(1)} % get past the fixed header`);
console.log(`busy for at most ${busy.ms.toFixed(1)} ms at a time; logged: ${JSON.stringify([...gateway.logCounts])}`);

assert.deepEqual(
  [gateway.context.sessions.size, gateway.pendingConnections.size],
  [0, 0],
  'no sessions or pending connections are left',
);
assert.ok(busy.ms <= BUSY_MS_MAX, `Busy for ${busy.ms} ms with one of the seeds ${busy.seeds}.`);
if (mutations >= PROGRESS_EVERY_MUTATIONS) {
  assert.ok(share >= 0.3, 'enough mutations get past the fixed header');
  assert.equal(counts.byType.size, 9, 'every packet type occurred');
  const growth = readHeap() - (heapBytes as number);
  console.log(`the heap grew by ${(growth / 1e6).toFixed(1)} MB`);
  assert.ok(growth < GROWTH_BYTES_MAX, `The heap grew by ${growth} bytes.`);
}
