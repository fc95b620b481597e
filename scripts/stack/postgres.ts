import { execFile } from 'node:child_process';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, escapeLiteral } from 'pg';
import { databaseRoleName, databaseRoles } from '#src/storage/database/rights.ts';
import { findPostgres, serverUser } from './programs.ts';
import type { Server } from './server.ts';
import { createServerDirectory, writeServerFile } from './server-files.ts';
import type { StackState } from './state.ts';

export const SUPERUSER = 'carillon';
const INITDB_SECONDS_MAX = 60;
const CONNECT_SECONDS_MAX = 2;

export function postgresServer(directory: string, state: StackState): Server {
  const data = dataDirectory(directory);
  const args = ['-D', data];
  return {
    part: 'postgres',
    directory: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    program: () => join(findPostgres(), 'postgres'),
    args,
    environment: state.postgres.environment,
    // PostgreSQL refuses to start while the process whose ID is in this file exists, even if that process is a zombie.
    prepare: () => rm(join(data, 'postmaster.pid'), { force: true }),
    // PostgreSQL puts cluster_name in front of its children's titles.
    mark: { args, childTitle: `postgres: ${state.name}: ` },
    endSignal: 'SIGQUIT', // An immediate shutdown without a checkpoint, because the data is deleted.
    check: () => checkPostgres(state),
  };
}

export function databaseUrl(state: StackState, database: string): string {
  return `postgres://${SUPERUSER}:${state.postgres.password}@127.0.0.1:${state.postgres.port}/${database}`;
}

/** Creates the roles of Carillon's processes, with the password of the superuser. A migration gives them their rights. */
export async function createRoles(state: StackState): Promise<void> {
  await withClient(state, async (client) => {
    const password = escapeLiteral(state.postgres.password);
    for (const role of databaseRoles)
      await client.query(`create role ${databaseRoleName(SUPERUSER, role)} login password ${password}`);
  });
}

/** Creates the data directory, once per stack. */
export async function createCluster(directory: string, state: StackState, walSegmentMegabytes?: number): Promise<void> {
  await createServerDirectory(join(directory, 'postgres'));
  const passwordFile = join(directory, 'postgres', 'password');
  await writeServerFile(passwordFile, state.postgres.password);
  const args = [
    `--pgdata=${dataDirectory(directory)}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync', // Only a power failure right after initdb could lose data. The server itself runs with fsync.
    ...(walSegmentMegabytes === undefined ? [] : [`--wal-segsize=${walSegmentMegabytes}`]),
  ];
  await promisify(execFile)(join(findPostgres(), 'initdb'), args, {
    cwd: join(directory, 'postgres'),
    env: { PATH: process.env.PATH },
    timeout: INITDB_SECONDS_MAX * 1000,
    ...serverUser(),
  });
  await rm(passwordFile);
  await appendFile(join(dataDirectory(directory), 'postgresql.conf'), "include 'stack.conf'\n");
}

/** Writes the configuration. Called again when the port changes. */
export async function configurePostgres(
  directory: string,
  state: StackState,
  extraSettings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const settings = {
    cluster_name: state.name,
    listen_addresses: '127.0.0.1',
    port: state.postgres.port,
    unix_socket_directories: '',
    max_connections: 1_000, // two test files at a time, each with all roles, on up to seven databases
    shared_buffers: '128MB',
    fsync: 'on',
    // In the data directory instead of /dev/shm, where a killed server would leave its segments permanently.
    dynamic_shared_memory_type: 'mmap',
    ...extraSettings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeServerFile(join(dataDirectory(directory), 'stack.conf'), lines.join(''));
}

/** Runs a query. The random password also proves that no other server has taken the port. */
async function checkPostgres(state: StackState): Promise<void> {
  await withClient(state, (client) => client.query('select 1'));
}

async function withClient(state: StackState, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl(state, 'postgres'),
    connectionTimeoutMillis: CONNECT_SECONDS_MAX * 1000,
    query_timeout: CONNECT_SECONDS_MAX * 1000,
  });
  client.on('error', () => {}); // The query in progress fails with the same error.
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}

export function dataDirectory(directory: string): string {
  return join(directory, 'postgres', 'data');
}
