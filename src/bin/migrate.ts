import { createLog } from '#src/foundation/log.ts';
import { loadSettings, SettingsError } from '#src/foundation/settings.ts';
import { ConnectionFailure } from '#src/storage/database/connection-failure.ts';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import { initialDatabases, shardUrls } from '#src/storage/database/open-storage.ts';
import { storageSettings } from '#src/storage/settings.ts';

/** Migrates every database to the schema of this version. Must run before the roles of a new version start. */
const log = createLog({ level: 'info', fields: { role: 'migrate' } });
let homeUrl: string | undefined;
if (process.argv.length > 2) {
  // Otherwise, `--help` would migrate the databases.
  process.stderr.write('migrate has no options. Without arguments, it migrates the databases in the settings.\n');
  process.exit(64);
}
try {
  const { storage } = loadSettings({ storage: storageSettings }, process.env);
  homeUrl = storage.CARILLON_DATABASE_URL;
  const databases = [storage.CARILLON_DATABASE_URL, storage.CARILLON_SHARD_DATABASES] as const;
  const urls = shardUrls(...databases);
  const newNames = initialDatabases(...databases);
  const rolePrefix = storage.CARILLON_DATABASE_ROLES;
  const home = await migrateHome(storage.CARILLON_DATABASE_URL, newNames, rolePrefix);
  const names = new Set([...home.databases, ...newNames]);
  for (const name of names)
    if (!urls.has(name))
      throw new SettingsError([`CARILLON_SHARD_DATABASES must name the database \`${name}\`, which has devices`]);
  const shardUrlsToMigrate = new Set([...names].map((name) => urls.get(name) as string));
  const haveRoles = [home.hasRoles];
  for (const url of shardUrlsToMigrate) haveRoles.push(await migrateShard(url, rolePrefix));
  if (haveRoles.includes(false)) log.warn('database-roles-missing', { roles: rolePrefix });
  log.info('migrated', { shardDatabases: shardUrlsToMigrate.size });
} catch (error) {
  if (error instanceof SettingsError) process.stderr.write(`${error.message}\n`);
  else if (error instanceof ConnectionFailure)
    process.stderr.write(
      `${error.explain(error.url === homeUrl ? 'CARILLON_DATABASE_URL' : 'CARILLON_SHARD_DATABASES')}\n`,
    );
  else log.error('migration-failed', { error });
  process.exitCode = error instanceof SettingsError ? 78 : 1;
}
