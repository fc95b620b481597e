import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a process that a bench looks at: at each SIGUSR2 it tells the longest delay of its event loop since the last.

const RESOLUTION_MS = 2;

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('SIGUSR2', () => {
  // What is recorded is the time between two looks, so this is at most a resolution too much.
  process.stdout.write(`${JSON.stringify({ level: 'info', event: 'loop-delay', maxMs: delays.max / 1e6 })}\n`);
  delays.reset();
});
