import pg from 'pg';
import { SettingsError } from '#src/foundation/settings.ts';
import type { HomeDb } from './database.ts';
import { type DatabaseKind, migrationsTable } from './migrations.ts';
import { HOME_PARTITIONED_TABLES, SHARD_PARTITIONED_TABLES } from './partitions.ts';

/** The kinds of processes. Each has a separate PostgreSQL role. */
export const databaseRoles = ['api', 'gateway', 'worker'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** The rights of each process on a table or sequence, as in `grant`. A process that is not listed has no rights. */
type Rights = Readonly<Record<string, Readonly<Partial<Record<DatabaseRole, string>>>>>;

/*
 * PostgreSQL requires `update` for `on conflict do update` and for `select … for update`, which a deletion in batches
 * uses. It requires `select` for the columns of `where` and `returning`.
 */
const READ_BY_ALL = { api: 'select', gateway: 'select', worker: 'select' };

const homeTables: Rights = {
  apps: {
    api: 'select, insert, update',
    gateway: 'select (app_id, disabled_at)',
    worker: 'select (app_id, name, disabled_at)',
  },
  admin_tokens: { api: 'select, insert, update', gateway: 'select (token_id, revoked_at, keeps_user_tokens)' },
  operators: { api: 'select, insert, update' },
  operator_roles: { api: 'select, insert, update, delete' },
  operator_sessions: { api: 'select, insert, update, delete', worker: 'select, update, delete' },
  app_ceilings: { api: 'select, insert, update', gateway: 'select', worker: 'select' },
  app_usage: { api: 'select, insert, update', worker: 'select, insert, update' },
  app_sessions: { api: 'select', gateway: 'select, insert, update, delete', worker: 'select' },
  stored_bytes: { api: 'select, insert, update', worker: 'select, insert, update, delete' },
  audit: { api: 'select, insert', worker: 'select, delete, update (audit_id)' },
  audit_chain: { api: 'select', worker: 'select, insert, delete' },
  bucket_map_version: READ_BY_ALL,
  bucket_map: READ_BY_ALL,
  certificates: { api: 'select, insert, update, delete', worker: 'select' },
  deleted_certificates: { api: 'select, insert, update' },
  master_key_checks: { api: 'select, insert, delete', worker: 'select, insert' },
  provider_tokens: { worker: 'select, insert, update, delete' },
  callbacks: { api: 'select, insert, update', worker: 'select' },
  callback_signatures: { api: 'select, insert, update', worker: 'select, update, delete' },
  breakers: { api: 'select, delete', worker: 'select, insert, update, delete' },
  last_responses: { api: 'select', worker: 'select, insert, update' },
  last_receipts: { api: 'select, insert, update' },
  quotas: { api: 'select', worker: 'select, insert, update' },
  quota_usage: { api: 'select', worker: 'select, insert, update, delete' },
  rates: { api: 'select', worker: 'select, insert, update' },
  users: {
    api: 'select, insert, update, delete',
    gateway: 'select (app_id, user_id, disabled_at)',
    worker: 'select (app_id, user_id, device_buckets)',
  },
  erased_users: { api: 'select, insert', worker: 'select, update' },
  erasures: { api: 'select, insert, update', worker: 'select, update' },
  user_tokens: { api: 'select, insert, update, delete', gateway: 'select', worker: 'select, update, delete' },
  revocations: { api: 'select, insert', gateway: 'select', worker: 'select, update, delete' },
  limit_points: { api: 'select, insert, update, delete', worker: 'select, insert, update, delete' },
  groups: { api: 'select, insert, update', worker: 'select' },
  members: { api: 'select, insert, update, delete', worker: 'select' },
  aliases: { api: 'select, insert, update', worker: 'select' },
  vendor_token_owners: { api: 'select, insert, update, delete', worker: 'select, update, delete' },
  tasks: { api: 'select, insert, update', gateway: 'select', worker: 'select, update' },
  request_keys: { api: 'select, insert, update', worker: 'select, update, delete' },
  final_counts: { api: 'select', worker: 'select, insert, update, delete' },
  drafts: { api: 'select, insert, update', worker: 'select, update, delete' },
  daily_counts: { api: 'select', worker: 'select, insert, update, delete' },
  daily_count_days: { worker: 'select, insert, update, delete' },
  daily_count_checks: { api: 'select', worker: 'select, insert, update' },
  recalls: { api: 'select, insert', worker: 'select, update, delete' },
};

const homeSequences: Rights = {
  user_numbers: { api: 'usage, update' },
  group_numbers: { api: 'usage, update' },
  revocation_numbers: { api: 'usage' },
};

const shardTables: Rights = {
  devices: { api: 'select, insert, update, delete', gateway: 'select, update', worker: 'select, update, delete' },
  bindings: { api: 'select, insert, update, delete', worker: 'select, update, delete' },
  badge_blocks: {
    api: 'select, insert, update',
    gateway: 'select, insert, update',
    worker: 'select, insert, update',
  },
  tags: { api: 'select, insert, delete', worker: 'select, delete' },
  reported_states: { api: 'select, insert, update, delete', worker: 'select, delete' },
  inbox: {
    api: 'select, update, delete',
    gateway: 'select, update, delete',
    worker: 'select, insert, update, delete',
  },
  expansions: { api: 'select, update', worker: 'select, insert, update, delete' },
  slices: { api: 'select, update', gateway: 'select, update', worker: 'select, insert, update' },
  slice_targets: { api: 'select', gateway: 'select', worker: 'select, insert' },
  slice_recalls: { api: 'select', worker: 'select, insert, update, delete' },
  gateways: { api: 'select', gateway: 'select, insert, update, delete', worker: 'select, update, delete' },
  sessions: { api: 'select, delete', gateway: 'select, insert, update, delete', worker: 'select, update, delete' },
};

const shardSequences: Rights = {
  device_numbers: { api: 'usage' },
  slice_numbers: { worker: 'usage' },
};

const rightsByKind = {
  home: { tables: homeTables, sequences: homeSequences, partitioned: HOME_PARTITIONED_TABLES },
  shard: { tables: shardTables, sequences: shardSequences, partitioned: SHARD_PARTITIONED_TABLES },
} as const satisfies Record<DatabaseKind, unknown>;

/** Returns the name of the PostgreSQL role of a process. */
export const databaseRoleName = (prefix: string, role: DatabaseRole): string => `${prefix}_${role}`;

/**
 * Gives the roles of the processes exactly the rights that they need. Returns false if the roles do not exist, so that
 * all processes must connect as the owner. Runs in a transaction of the caller. Safe to run repeatedly.
 */
export async function grantRights(client: pg.Client, kind: DatabaseKind, prefix: string): Promise<boolean> {
  if (!(await haveRoles(client, prefix))) return false;
  const { tables, sequences, partitioned } = rightsByKind[kind];
  const nameOf = (role: DatabaseRole) => pg.escapeIdentifier(databaseRoleName(prefix, role));
  const allRoles = databaseRoles.map(nameOf).join(', ');
  // A worker creates and drops the tables of single days, which only an owner can do.
  const ownedTables = await findTablesOfOthers(client, partitioned, databaseRoleName(prefix, 'worker'));
  const statements = [
    `grant usage on schema public to ${allRoles}`,
    `grant create on schema public to ${nameOf('worker')}`,
    ...ownedTables.map((table) => `alter table ${table} owner to ${nameOf('worker')}`),
    ...grantStatements('table', { ...tables, [migrationsTable(kind)]: READ_BY_ALL }, nameOf, allRoles),
    ...grantStatements('sequence', sequences, nameOf, allRoles),
  ];
  await client.query(statements.join(';\n'));
  return true;
}

/** Returns whether the current role has the rights of the owner, and so more rights than a process needs. */
export async function isSchemaOwner(db: HomeDb): Promise<boolean> {
  const [row] = await db.query<{ isOwner: boolean }>(
    `select pg_has_role(relowner, 'member') as "isOwner" from pg_class where oid = 'apps'::regclass`,
  );
  return row?.isOwner === true;
}

function grantStatements(
  type: 'table' | 'sequence',
  rights: Rights,
  nameOf: (role: DatabaseRole) => string,
  allRoles: string,
): string[] {
  return Object.entries(rights).flatMap(([name, byRole]) => [
    `revoke all on ${type} ${name} from ${allRoles}`,
    ...Object.entries(byRole).map(
      ([role, list]) => `grant ${list} on ${type} ${name} to ${nameOf(role as DatabaseRole)}`,
    ),
  ]);
}

async function haveRoles(client: pg.Client, prefix: string): Promise<boolean> {
  const names = databaseRoles.map((role) => databaseRoleName(prefix, role));
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    names,
  ]);
  const missing = names.filter((name) => !rows.some(({ rolname }) => rolname === name));
  if (missing.length === names.length) return false;
  if (missing.length > 0)
    throw new SettingsError([
      `CARILLON_DATABASE_ROLES: the PostgreSQL role \`${missing[0]}\` does not exist. Create it`,
    ]);
  return true;
}

/** Returns the partitioned tables and their partitions that do not belong to the role yet. */
async function findTablesOfOthers(client: pg.Client, tables: readonly string[], owner: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name
       from pg_class c
      where (c.relname = any($1) or c.relname ~ $2)
        and c.relkind in ('r', 'p') and pg_table_is_visible(c.oid)
        and pg_get_userbyid(c.relowner) <> $3`,
    [tables, `^(${tables.join('|')})_day_\\d+$`, owner],
  );
  return rows.map(({ name }) => name);
}
