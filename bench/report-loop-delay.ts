import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a process that a bench measures. On each SIGUSR2 it logs the longest delay of its event loop since the
// previous signal. It also logs the longest CPU time between two ticks, because on a busy machine the delay includes
// waiting for a CPU.

const RESOLUTION_MS = 2;

// The histogram records the time between two ticks, so the reported delay can be too long by up to `RESOLUTION_MS`.
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
