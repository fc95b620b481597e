import { globSync } from 'node:fs';

/** Path of the library on Debian, for any architecture. */
const LIBRARY = '/usr/lib/*/faketime/libfaketime.so.1';

/**
 * Returns environment variables for a process whose wall clock is wrong by `offset` (for example `+3d`). Its monotonic
 * clock is correct.
 */
export function clockOffsetSettings(offset: string): Readonly<Record<string, string>> {
  return { ...wallClockSettings(), FAKETIME: offset };
}

/** Returns environment variables for processes whose offset is read from a file, at most once a second. */
export function clockFileSettings(file: string): Readonly<Record<string, string>> {
  return { ...wallClockSettings(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' };
}

function wallClockSettings(): Readonly<Record<string, string>> {
  const [library] = globSync(LIBRARY);
  if (!library) throw new Error('The library libfaketime is missing. Install the Debian package faketime.');
  return { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}
