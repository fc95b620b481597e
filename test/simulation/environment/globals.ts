import { currentProcess, type Scheduler, START_MS } from './scheduler.ts';

/** A promise that nobody waited for has failed. */
export class UnhandledRejection extends Error {}

/** While a simulation runs, the clocks and dice of the process are its own. Answers how to give them back. */
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
  // In production it would end the process and everything that it holds.
  const onUnhandled = (error: unknown) => scheduler.fail(new UnhandledRejection(String(error)));
  process.on('unhandledRejection', onUnhandled);
  return () => {
    process.off('unhandledRejection', onUnhandled);
    Math.random = random;
    Reflect.deleteProperty(performance, 'now'); // the prototype's is there again
    Object.assign(globalThis, real);
  };
}
