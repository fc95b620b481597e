/** A killed npm is noticed after at most this time. */
const POLL_MS = 1_000;

/**
 * Resolves when npm has ended without this process, because npm was killed. npm shares its terminal with its script and
 * opens no pipe to it, so the process ID of the parent is polled. Never resolves if npm did not start this process.
 */
export function npmExit(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid === parent || resolve(), POLL_MS).unref();
  return promise;
}
