import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#src/foundation/log.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { type StoredData, storedData } from './personal-data/page.ts';

/**
 * Columns without personal data of users. A column that is neither here nor on the page fails the test. Decide what the
 * export and the erasure do with it, then list it. A string of these columns is a name, a state or an error of the
 * operator, or a secret of an app.
 */
const NOT_PERSONAL: Readonly<Record<string, string>> = {
  home_migrations: 'id name run_on',
  shard_migrations: 'id name run_on',
  apps: 'app_id name token_days public_key private_key http_errors user_push registration country notify_per_second extra_counters reject_typos approval_above cors_origins disabled_at created_at',
  master_key_checks: 'purpose key_id box',
  admin_tokens:
    'token_hash token_id app_id name scopes expires_at revoked_at created_at parent group_id keeps_user_tokens',
  operators: 'operator_id email name password_hash oidc_issuer oidc_subject is_platform disabled_at created_at',
  operator_roles: 'operator_id app_id role',
  operator_sessions: 'session_hash operator_id created_at last_used_at expires_at address user_agent',
  audit: 'audit_id app_id token_id token_name operation at result_of operator_id',
  audit_chain: 'audit_id previous hash',
  app_ceilings: 'app_id notify_per_second open_tasks users devices stored_bytes sessions',
  app_usage: 'app_id open_tasks users devices inbox_rows',
  app_sessions: 'app_id gateway sessions at',
  stored_bytes: 'app_id day bytes',
  callback_signatures: 'app_id channel signature body_hash until',
  bucket_map_version: 'version',
  bucket_map: 'first_bucket last_bucket database',
  certificates:
    'app_id channel environment name vendor_app_id app_key app_secret certificate per_second expires_at version updated_at',
  deleted_certificates: 'app_id channel environment version',
  provider_tokens: 'name token made_at expires_at claimed_until',
  callbacks: 'app_id channel path_hash secrets updated_at',
  breakers: 'app_id channel environment version cause reason tripped_at probe_at suspect',
  last_responses: 'app_id channel environment version kind reason at',
  last_receipts: 'app_id channel at',
  quotas: 'app_id channel environment class spent_until spent_at',
  quota_usage: 'app_id resets_at channel environment class counter accepted',
  rates: 'app_id channel environment per_second limit_per_second permits at throttled_at ramp_at',
  users: 'app_id disabled_at created_at',
  erased_users: 'app_id erased_at',
  erasures: 'erasure_id app_id tasks_after requested_at next_at done_at',
  user_tokens: 'app_id generation expires_at created_at parent may_push',
  revocations: 'number app_id at parent',
  limit_points: 'points until',
  groups: 'app_id group_id name deleted_at created_at',
  members: 'app_id group_id',
  aliases: 'app_id version',
  vendor_token_owners: 'app_id channel version bound_at',
  tasks:
    'task_id app_id group_id lane state by_range strategy ospush_sequence due_at not_after epoch next_at accepted_at cancelled_at finished_at failures failure failed_at token_kind token_parent',
  request_keys: 'bucket app_id task_id body_hash at',
  final_counts: 'task_id app_id group_id channels targets sent received clicked',
  drafts:
    'draft_id app_id group_id request_key note devices needs_approval token_kind token_id token_name created_at expires_at state decided_kind decided_id decided_name decided_at reason task_id',
  daily_counts: 'app_id day channel database target sent received clicked',
  daily_count_days: 'day database changes counted_at',
  daily_count_checks: 'database checked_at',
  recalls: 'task_id app_id requested_at next_at',
  devices: 'app_id bucket generation reach latest_domestic seen_on registered_at',
  bindings: 'app_id bucket channel environment bound_at ended_at ended_why',
  badge_blocks: 'app_id bucket block generations badges',
  tags: 'app_id bucket',
  reported_states: 'bucket generation',
  inbox: 'app_id bucket task_id generation slice_bucket slice place n expires_at',
  expansions: 'task_id bucket last_bucket app_id lane state epoch next_at cancelled done_at failures failure failed_at',
  slices:
    'task_id bucket slice app_id channel lane n state epoch next_at attempts cancelled tried native_slice status sent received clicked history_dropped failures failure failed_at',
  slice_targets: 'task_id bucket slice generations',
  slice_recalls: 'task_id bucket slice app_id channel recalled failed',
  gateways: 'gateway epoch heartbeat_at',
  sessions: 'bucket gateway epoch generation online since replaced takeovers takeovers_from',
};

describe('the page about personal data', () => {
  let databases: TestDatabases;
  let storage: Storage;
  const columns = new Set<string>();

  before(async () => {
    databases = await createMigratedDatabases();
    const log = createLog({ level: 'error', fields: { role: 'test' } });
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 };
    storage = await openStorage({ settings, connections: 1, log });
    for (const db of [storage.home, ...storage.shards.all]) {
      const rows = await db.query<{ name: string }>(
        `select c.relname || '.' || a.attname as name
           from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            and a.attnum > 0 and not a.attisdropped`,
      );
      for (const { name } of rows) columns.add(name);
    }
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  const onPage = storedData().flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  const notPersonal = Object.entries(NOT_PERSONAL).flatMap(([table, names]) =>
    names.split(' ').map((column) => `${table}.${column}`),
  );

  test('lists every column that is not known to be free of personal data', () => {
    assert.ok(columns.size > 200, `${columns.size} columns`);
    const undecided = [...columns].filter((column) => !onPage.includes(column) && !notPersonal.includes(column));
    assert.deepEqual(undecided, [], 'Decide whether these columns contain personal data.');
  });

  test('lists only columns that exist, and each of them once', () => {
    assert.ok(onPage.length > 30, `${onPage.length} columns`);
    assert.deepEqual(
      [...onPage, ...notPersonal].filter((column) => !columns.has(column)),
      [],
    );
    assert.deepEqual(
      onPage.filter((column, i) => onPage.indexOf(column) !== i || notPersonal.includes(column)),
      [],
    );
  });

  test('lists the same columns in Chinese', () => {
    const columnsOf = ({ table, columns }: StoredData) => ({ table, columns });
    assert.deepEqual(storedData('zh/operate').map(columnsOf), storedData().map(columnsOf));
  });

  test('states for each table whether an erasure deletes, removes or keeps the data', () => {
    const unclear = storedData().filter(({ erasure }) => !/^(deleted|kept|\w+ removed)/.test(erasure));
    assert.deepEqual(unclear, []);
  });
});
