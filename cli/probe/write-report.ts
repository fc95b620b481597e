import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../failure.ts';

/** At most this many reports of one vendor and day. */
const REPORTS_MAX = 1_000;

/** Checks that a directory is writable, before the command creates anything. */
export async function checkDirectory(directory: string): Promise<void> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(`--directory: files cannot be written to ${directory}: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

/** Writes a report to a new file, and returns its path. An existing file is never overwritten. */
export async function writeReport(directory: string, name: string, text: string): Promise<string> {
  for (let number = 1; number <= REPORTS_MAX; number++) {
    const path = join(directory, `${name}${number === 1 ? '' : `-${number}`}.md`);
    try {
      await writeFile(path, text, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new UsageError(`${directory} already has ${REPORTS_MAX} reports named ${name}. Set --directory.`);
}
