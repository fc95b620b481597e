import { purposesOf } from '#src/bin/settings.ts';
import { keyPurposes } from '#src/storage/accounts/master-keys.ts';
import { type DatabaseRole, databaseRoleName } from '#src/storage/database/rights.ts';
import { NATS_PASSWORD } from './nats.ts';
import { SUPERUSER } from './postgres.ts';

/**
 * Returns the settings of a process on a stack, with the PostgreSQL role and the NATS user of the process instead of the
 * superuser, and without master keys that the process does not need.
 */
export function roleSettings(
  settings: Readonly<Record<string, string>>,
  role: DatabaseRole,
): Readonly<Record<string, string>> {
  const { CARILLON_DATABASE_URL: homeUrl = '', CARILLON_SHARD_DATABASES: shardDatabases = '' } = settings;
  const unused = keyPurposes.filter((purpose) => !purposesOf([role]).includes(purpose));
  const unusedKeys = new Set(unused.map((purpose) => `CARILLON_MASTER_KEYS_${purpose.toUpperCase()}`));
  const used = Object.fromEntries(Object.entries(settings).filter(([name]) => !unusedKeys.has(name)));
  const change = (urls: string) => urls.replaceAll(`//${SUPERUSER}:`, `//${databaseRoleName(SUPERUSER, role)}:`);
  return {
    CARILLON_NATS_USER: role,
    CARILLON_NATS_PASSWORD: NATS_PASSWORD,
    ...used,
    CARILLON_DATABASE_URL: change(homeUrl),
    CARILLON_SHARD_DATABASES: change(shardDatabases),
  };
}
