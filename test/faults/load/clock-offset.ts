import { globSync } from 'node:fs';

/** Path of the library on Debian, for any architecture. */
const LIBRARY = '/usr/lib/*/faketime/libfaketime.so.1';

/**
 * Returns environment variables for a process whose wall clock is wrong by `offset` (for example `+3d`). Its monotonic
 * clock is correct.
 */
export function clockOffsetSettings(offset: string): Readonly<Record<string, string>> {
  const [library] = globSync(LIBRARY);
  if (!library) throw new Error('The library libfaketime is missing. Install the Debian package faketime.');
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}
