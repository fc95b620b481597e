import { createLog } from '#src/foundation/log.ts';
import { loadSettings, SettingsError } from '#src/foundation/settings.ts';
import { shardUrls } from '#src/storage/database/database.ts';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import { storageSettings } from '#src/storage/settings.ts';

/** Migrates every database to the schema of this version. Must run before the roles of a new version start. */
const log = createLog({ level: 'info', fields: { role: 'migrate' } });
try {
  const { storage } = loadSettings({ storage: storageSettings }, process.env);
  const urls = [...new Set(shardUrls(storage.CARILLON_DATABASE_URL, storage.CARILLON_SHARD_DATABASES))];
  await migrateHome(storage.CARILLON_DATABASE_URL);
  for (const url of urls) await migrateShard(url);
  log.info('migrated', { shardDatabases: urls.length });
} catch (error) {
  if (error instanceof SettingsError) process.stderr.write(`${error.message}\n`);
  else log.error('migration-failed', { error });
  process.exitCode = error instanceof SettingsError ? 78 : 1;
}
