import { currentProcess, type Scheduler, START_MS } from './scheduler.ts';

/** A promise rejection that no code handled. */
export class UnhandledRejection extends Error {}

/** Replaces the clocks and random numbers of the process for a simulation. Returns a function that restores them. */
export function replaceGlobals(scheduler: Scheduler): () => void {
  const { random } = Math;
  const real = { setImmediate: globalThis.setImmediate, setTimeout: globalThis.setTimeout };
  Math.random = () => scheduler.random.next();
  Object.defineProperty(performance, 'now', { configurable: true, value: () => scheduler.now - START_MS });
  Object.assign(globalThis, {
    setImmediate: (work: () => void) => queueMicrotask(work),
    setTimeout: (work: () => void, ms: number) => {
      scheduler.post(currentProcess(), ms, '', work);
      return { unref: () => undefined };
    },
  });
  // In production, an unhandled rejection would end the process and lose everything in its memory.
  const onUnhandled = (error: unknown) => scheduler.fail(new UnhandledRejection(String(error)));
  process.on('unhandledRejection', onUnhandled);
  return () => {
    process.off('unhandledRejection', onUnhandled);
    Math.random = random;
    Reflect.deleteProperty(performance, 'now'); // restores the method of the prototype
    Object.assign(globalThis, real);
  };
}
