import { globSync } from 'node:fs';

/** Where Debian keeps the library, on whichever kind of machine. */
const LIBRARY = '/usr/lib/*/faketime/libfaketime.so.1';

/** The environment of a process whose wall clock is wrong by so much (`+3d`). Its monotonic clock runs as it should. */
export function clockOffsetSettings(offset: string): Readonly<Record<string, string>> {
  const [library] = globSync(LIBRARY);
  if (!library) throw new Error("Debian's package faketime is needed.");
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}
