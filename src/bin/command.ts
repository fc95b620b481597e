import { createLog } from '#src/foundation/log.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import { loadSettings, SettingsError } from '#src/foundation/settings.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { openStorage, type Storage } from '#src/storage/database/database.ts';
import { storageSettings } from '#src/storage/settings.ts';
import { readKeyring, sealSettings } from './settings.ts';

/** What an operator should do, in plain words and without a stack. */
export class CommandError extends Error {}

/**
 * Runs a command of the operator's on the databases: settings are read, mistakes are told, connections are closed. One
 * that looks at whole tables names a time for its questions: the setting's is for the roles.
 */
export async function runCommand(
  work: (parts: { storage: Storage; keyring: Keyring }) => Promise<void>,
  { querySecondsMax }: { querySecondsMax?: number } = {},
): Promise<void> {
  try {
    const settings = loadSettings({ storage: storageSettings, seal: sealSettings }, process.env);
    const CARILLON_DATABASE_QUERY_SECONDS_MAX = querySecondsMax ?? settings.storage.CARILLON_DATABASE_QUERY_SECONDS_MAX;
    const keyring = readKeyring(settings.seal);
    const log = createLog({ level: 'error', fields: { role: 'command' } });
    const storage = openStorage({
      settings: { ...settings.storage, CARILLON_DATABASE_QUERY_SECONDS_MAX },
      connections: 2,
      log,
    });
    try {
      await work({ storage, keyring });
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof CommandError || error instanceof Unavailable)) throw error;
    const cause = error instanceof Unavailable && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    process.stderr.write(`${error.message}${cause}\n`);
    process.exitCode = error instanceof SettingsError ? 78 : 1;
  }
}
