import { createLog } from '#src/foundation/log.ts';
import { loadSettings, SettingsError } from '#src/foundation/settings.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { checkMasterKeys, type Keyrings, keyPurposes } from '#src/storage/accounts/master-keys.ts';
import { explainHomeFailure } from '#src/storage/database/connection-failure.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { storageSettings } from '#src/storage/settings.ts';
import { readKeyrings, sealSettings } from './settings.ts';

/** An error that the operator can fix. It is printed without a stack trace. */
export class CommandError extends Error {}

/** Runs an operator command that needs the master keys. See `runStorageCommand`. */
export async function runCommand(
  work: (parts: { storage: Storage; keyrings: Keyrings }) => Promise<void>,
): Promise<void> {
  const readKeys = () => readKeyrings(loadSettings({ seal: sealSettings }, process.env).seal, keyPurposes);
  await runStorageCommand(readKeys, async (storage, keyrings) => {
    await checkMasterKeys(storage.home, keyrings);
    await work({ storage, keyrings });
  });
}

/**
 * Runs an operator command on the databases. Reads the settings, prints errors and closes the connections. `readMore`
 * reads further settings before the databases are opened. A command that reads whole tables passes `querySecondsMax`,
 * because `CARILLON_DATABASE_QUERY_SECONDS_MAX` is meant for the short queries of the roles.
 */
export async function runStorageCommand<T>(
  readMore: () => T,
  work: (storage: Storage, more: T) => Promise<void>,
  { querySecondsMax }: { querySecondsMax?: number } = {},
): Promise<void> {
  try {
    const settings = loadSettings({ storage: storageSettings }, process.env);
    const more = readMore();
    const CARILLON_DATABASE_QUERY_SECONDS_MAX = querySecondsMax ?? settings.storage.CARILLON_DATABASE_QUERY_SECONDS_MAX;
    const log = createLog({ level: 'error', fields: { role: 'command' } });
    const storage = await openStorage({
      settings: { ...settings.storage, CARILLON_DATABASE_QUERY_SECONDS_MAX },
      connections: 2,
      log,
    }).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      throw new CommandError(explainHomeFailure(error, settings.storage.CARILLON_DATABASE_URL));
    });
    try {
      await work(storage, more);
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
