import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a process that a bench looks at: at each SIGUSR2 it tells the longest delay of its event loop since the last,
// and how much of one was its own: on a machine that is busy otherwise a process waits for its turn, too.

const RESOLUTION_MS = 2;

// What is recorded is the time between two looks, so this is at most a resolution too much.
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let ownMs = 0;
let before = cpuMs();
setInterval(() => {
  const now = cpuMs();
  ownMs = Math.max(ownMs, now - before);
  before = now;
}, RESOLUTION_MS).unref();

process.on('SIGUSR2', () => {
  const line = { level: 'info', event: 'loop-delay', maxMs: delays.max / 1e6, ownMs };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  delays.reset();
  ownMs = 0;
});
