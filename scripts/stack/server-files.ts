import { chown, mkdir, writeFile } from 'node:fs/promises';
import { serverUser } from './programs.ts';

/** Creates a directory that only the servers' user and root can access. */
export async function createServerDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  await chownToServerUser(directory);
}

/** Writes a file that only the servers' user and root can read. */
export async function writeServerFile(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chownToServerUser(file);
}

async function chownToServerUser(path: string): Promise<void> {
  const user = serverUser();
  if (user) await chown(path, user.uid, user.gid);
}
