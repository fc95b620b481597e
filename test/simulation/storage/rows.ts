import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { Task } from '#src/domain/task.ts';
import type { TrippedBreaker } from '#src/domain/vendor-account/breaker.ts';
import type { ExhaustedQuota } from '#src/storage/accounts/quotas.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import type { InboxRow } from '#src/storage/devices/inbox.ts';
import type { NewExpansion } from '#src/storage/ledger/expansions.ts';
import { simulatedDatabaseOf } from './database.ts';

export interface TaskRow {
  readonly task: Task;
  readonly byRange: boolean | null;
  readonly state: 'accepted' | 'planned' | 'finished';
  readonly epoch: number;
  readonly nextAt: number;
  readonly cancelledAt: number | null;
  readonly failures: number;
}

export interface CertificateRow {
  readonly appId: string;
  readonly channel: VendorName;
  readonly environment: Environment;
  readonly version: number;
}

export interface ExpansionRow extends NewExpansion {
  readonly state: 'ready' | 'leased' | 'done';
  readonly epoch: number;
  readonly nextAt: number;
  readonly cancelled: boolean;
  readonly failures: number;
}

export interface DeviceRow {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly userId: bigint | null;
  readonly pushToken: string;
  readonly generation: number;
  readonly reach: number;
  readonly latestDomestic: VendorName | null;
  readonly registeredAt: number;
}

export interface BindingRow {
  readonly deviceId: bigint;
  readonly channel: VendorName;
  readonly environment: Environment;
  readonly token: string;
}

export interface BadgeRow {
  readonly generation: number;
  readonly badge: number;
}

export interface SessionRow {
  readonly gateway: string;
  readonly epoch: number;
  readonly generation: number;
  readonly online: boolean;
  readonly since: string;
}

/** The tables of the home database. */
export class HomeRows {
  readonly tasks = new Map<bigint, TaskRow>();
  readonly requestKeys = new Map<string, bigint>();
  readonly certificates = new Map<string, CertificateRow>();
  readonly breakers = new Map<string, TrippedBreaker>();
  readonly quotas = new Map<string, ExhaustedQuota>();
  /** The buckets in which a user may have devices, by app and user. */
  readonly deviceBuckets = new Map<string, readonly number[]>();
  /** The members of the only group of each app, in the order of their IDs. */
  readonly members = new Map<string, readonly bigint[]>();
}

/** The tables of a shard database except the slices, which every simulated database has. */
export class ShardRows {
  readonly expansions = new Map<string, ExpansionRow>();
  readonly devices = new Map<bigint, DeviceRow>();
  readonly bindings = new Map<string, BindingRow>();
  readonly badges = new Map<bigint, BadgeRow>();
  /** `late`: the worker paused between checking its lease and inserting the row. */
  readonly inbox = new Map<string, InboxRow & { readonly late: boolean }>();
  readonly gateways = new Map<string, { readonly epoch: number; readonly heartbeatAt: number }>();
  readonly sessions = new Map<bigint, SessionRow>();
  nextSlice = 1;
}

const home = new WeakMap<object, HomeRows>();
const shards = new WeakMap<object, ShardRows>();

export const homeRows = (db: HomeDb): HomeRows => rowsFor(home, simulatedDatabaseOf(db), () => new HomeRows());
export const shardRows = (db: ShardDb): ShardRows => rowsFor(shards, simulatedDatabaseOf(db), () => new ShardRows());

function rowsFor<T>(rowsByDatabase: WeakMap<object, T>, database: object, create: () => T): T {
  const rows = rowsByDatabase.get(database) ?? create();
  rowsByDatabase.set(database, rows);
  return rows;
}
