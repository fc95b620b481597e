import { chown, mkdir, writeFile } from 'node:fs/promises';
import { serverUser } from './programs.ts';

/** A directory that only the servers' user (and root) can look into. */
export async function makeOwned(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  await giveToServers(directory);
}

/** A file that only the servers' user (and root) can read. */
export async function writeOwned(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await giveToServers(file);
}

async function giveToServers(path: string): Promise<void> {
  const user = serverUser();
  if (user) await chown(path, user.uid, user.gid);
}
