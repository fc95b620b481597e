import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { channels, specifiedChannels } from '#src/domain/channel.ts';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import { createLog } from '#src/foundation/log.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { initialDatabases, openStorage, shardUrls } from '#src/storage/database/open-storage.ts';
import { type Role, type RoleProcess, startRole } from '../../scripts/dev/role-process.ts';
import { seedAdminToken, seedApp, seedCertificate, seedUser } from '../../scripts/dev/seed.ts';
import { type SimulatorProcess, startApnsProcess } from '../../scripts/dev/simulator-process.ts';
import { keyringsOf, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { roleSettings } from '../../scripts/stack/role-settings.ts';
import type { Stack } from '../../scripts/stack/stack.ts';
import { bundleOf } from './bundles.ts';
import { createMigratedDatabases } from './databases.ts';
import { LAW_VIOLATION } from './law-triggers.ts';
import { testStack } from './stack.ts';

export interface TestUser {
  readonly userId: bigint;
  readonly name: string;
  readonly password: string;
}

export interface Login {
  readonly token: string;
  readonly push_token: string;
  readonly deviceGuid: string;
}

/** A response of the API: its HTTP status and its envelope. */
export interface ApiResponse<T = unknown> {
  readonly status: number;
  readonly code: number;
  readonly data: T;
  readonly message: string | null;
  readonly headers: Headers;
}

/** Options that override the defaults of a call: an admin token and the first API process. */
export interface CallOptions {
  readonly token?: string | null;
  readonly api?: RoleProcess;
  /** Additional headers, such as `user_id`. They replace default headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CarillonOptions {
  readonly apis?: number;
  readonly gateways?: number;
  readonly workers?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** A separate stack whose parts the test can kill. */
  readonly stack?: Stack;
  /** The number of databases, for a test that depends on it. */
  readonly databases?: number;
  /** See `createMigratedDatabases`. */
  readonly checksLaws?: boolean;
}

/** Starts the whole service in separate processes, with an app and new databases. */
export async function startCarillon(options: CarillonOptions = {}): Promise<Carillon> {
  await using starting = new AsyncDisposableStack();
  const stack = options.stack ?? (await testStack());
  const [databases, apns] = await Promise.all([
    createMigratedDatabases(stack, { count: options.databases, checksLaws: options.checksLaws }).then((fresh) =>
      starting.use(fresh),
    ),
    startApnsProcess(bundleOf('simulators')).then((started) => starting.use(started)),
  ]);
  const settings = {
    ...databases.settings,
    ...apns.settings,
    CARILLON_NATS_URLS: stack.natsUrls.join(','),
    CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    ...newMasterKeys('test'),
    // Tests make many requests for few users, and many connections from one address.
    CARILLON_USER_REQUESTS_PER_MINUTE: '1000000',
    CARILLON_LOGINS_PER_USER_PER_HOUR: '1000000',
    CARILLON_SECRET_READS_PER_MINUTE: '1000000',
    CARILLON_API_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: '0',
    CARILLON_API_REJECTIONS_PER_ADDRESS_PER_SECOND: '0',
    CARILLON_GATEWAY_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: '0',
    ...options.settings,
  };
  const storage = await openStorage({
    settings: { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 },
    connections: 4,
    log: createLog({ level: 'error', fields: { role: 'test' } }),
  });
  starting.defer(() => storage.close());
  const appId = 'bells';
  const keyrings = keyringsOf(settings);
  await seedApp(storage.home, keyrings, appId);
  await seedCertificate(storage.home, keyrings, appId, 'apns', apns.certificate);
  const adminToken = await seedAdminToken(storage.home, appId);

  const carillon = new Carillon({ storage, apns, keyrings, appId, adminToken, settings, parts: starting.move() });
  try {
    await Promise.all([
      ...Array.from({ length: options.apis ?? 1 }, () => carillon.start('api')),
      ...Array.from({ length: options.gateways ?? 1 }, () => carillon.start('gateway')),
      ...Array.from({ length: options.workers ?? 1 }, () => carillon.start('worker')),
    ]);
    return carillon;
  } catch (error) {
    await carillon[Symbol.asyncDispose]();
    throw error;
  }
}

export class Carillon implements AsyncDisposable {
  readonly storage: Storage;
  readonly apns: SimulatorProcess;
  /** The keys that seal the secrets of apps. */
  readonly keyrings: Keyrings;
  readonly appId: string;
  readonly adminToken: string;
  readonly apis: RoleProcess[] = [];
  readonly gateways: RoleProcess[] = [];
  readonly workers: RoleProcess[] = [];
  /** Every log line of every role. */
  readonly logLines: string[] = [];
  /** The environment variables of every role. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #parts: AsyncDisposableStack;
  readonly #linesByProcess = new Map<RoleProcess, readonly string[]>();

  constructor(options: {
    storage: Storage;
    apns: SimulatorProcess;
    keyrings: Keyrings;
    appId: string;
    adminToken: string;
    settings: Readonly<Record<string, string>>;
    parts: AsyncDisposableStack;
  }) {
    this.storage = options.storage;
    this.apns = options.apns;
    this.keyrings = options.keyrings;
    this.appId = options.appId;
    this.adminToken = options.adminToken;
    this.settings = options.settings;
    this.#parts = options.parts;
  }

  /** The URLs of the databases with devices. */
  get shardUrls(): string[] {
    const { CARILLON_DATABASE_URL: homeUrl = '', CARILLON_SHARD_DATABASES: shardDatabases = '' } = this.settings;
    const urls = shardUrls(homeUrl, shardDatabases);
    return initialDatabases(homeUrl, shardDatabases).map((name) => urls.get(name) as string);
  }

  /** Log lines at `warn` or above, for the message of a failed test. */
  get warningLines(): string[] {
    return this.logLines.filter((line) => !/"level":"(info|debug)"/.test(line));
  }

  /** Log lines at `error`, which require action by an operator. */
  get errorLines(): string[] {
    return this.logLines.filter((line) => line.includes('"level":"error"'));
  }

  /** Starts another process of a role, optionally with different settings or from the version at `root`. */
  async start(
    role: Exclude<Role, 'all'>,
    settings: Readonly<Record<string, string>> = {},
    root?: string,
  ): Promise<RoleProcess> {
    const program = root === undefined ? bundleOf(role) : join(root, 'src/bin', `${role}.ts`);
    const lines: string[] = [];
    const appendLine = (line: string) => {
      this.logLines.push(line);
      lines.push(line);
    };
    const roleProcess = await startRole(
      role,
      roleSettings({ ...this.settings, ...settings }, role),
      appendLine,
      program === undefined ? {} : { program },
    );
    this.#parts.use(roleProcess);
    this.#linesByProcess.set(roleProcess, lines);
    ({ api: this.apis, gateway: this.gateways, worker: this.workers })[role].push(roleProcess);
    return roleProcess;
  }

  /** Returns the log lines of one process. */
  linesOf(roleProcess: RoleProcess): readonly string[] {
    return this.#linesByProcess.get(roleProcess) ?? [];
  }

  /** Adds a second app with the same APNs account as the first. */
  async addApp(appId: string): Promise<void> {
    await seedApp(this.storage.home, this.keyrings, appId);
    await this.saveApnsCertificate(appId);
  }

  async saveApnsCertificate(appId: string): Promise<void> {
    await seedCertificate(this.storage.home, this.keyrings, appId, 'apns', this.apns.certificate);
  }

  async createUser(name: string): Promise<TestUser> {
    const password = `${name}-password`;
    const userId = await seedUser(this.storage.home, this.appId, { name, password });
    return { userId, name, password };
  }

  async logIn(user: TestUser, deviceGuid: string): Promise<Login> {
    const body = { user_id: user.userId, password: user.password, device_guid: deviceGuid };
    const { data } = await this.post<Omit<Login, 'deviceGuid'>>('/token/id', body, { token: null });
    return { ...data, deviceGuid };
  }

  /** Makes a POST request. The test fails if the response is not a success. */
  async post<T>(path: string, body: object, options: CallOptions = {}): Promise<ApiResponse<T>> {
    const response = await this.tryPost<T>(path, body, options);
    assert.equal(response.code, 200, `${path}: ${response.code} ${response.message}`);
    return response;
  }

  async tryPost<T>(
    path: string,
    body: object,
    { token = this.adminToken, api = this.apis[0] as RoleProcess, headers = {} }: CallOptions = {},
  ): Promise<ApiResponse<T>> {
    const response = await fetch(`${api.apiUrl}${path}`, {
      method: 'POST',
      headers: {
        app_id: this.appId,
        'content-type': 'application/json',
        ...(token !== null && { 'access-token': token }),
        ...headers,
      },
      body: stringifyJson(body),
    });
    const envelope = parseJson(await response.text()) as Omit<ApiResponse<T>, 'status' | 'headers'>;
    return { ...envelope, status: response.status, headers: response.headers };
  }

  /** Sends a notification, by default with an admin token, and returns its task id. */
  async notify(
    audience: object | 'all',
    message: object,
    setting: object = {},
    options: CallOptions = {},
  ): Promise<bigint> {
    const { data } = await this.post<{ task_id: number }>('/push/notify', { audience, message, setting }, options);
    return BigInt(data.task_id);
  }

  /**
   * Returns the counters that are not zero, as `channel: [target, sent, received]`. The counters of the specified
   * channels must be present, and those of all channels or none of the others.
   */
  async counters(taskId: bigint, options: CallOptions = {}): Promise<Record<string, [number, number, number]>> {
    const { data } = await this.post<Record<string, number>[]>('/push/task/detail', { list: [taskId] }, options);
    assert.equal(data.length, 1);
    const [record] = data as [Record<string, number>];
    const hasExtra = Object.keys(record).length > 1 + 3 * specifiedChannels.length;
    const present = hasExtra ? channels : specifiedChannels;
    assert.equal(Object.keys(record).length, 1 + 3 * present.length);
    const counters = present.map((channel) => {
      const counts = ['target', 'sent', 'received'].map((name) => record[`${channel}_${name}`]);
      assert.ok(counts.every(Number.isSafeInteger), `${channel} has its three counters`);
      return [channel, counts] as [string, [number, number, number]];
    });
    return Object.fromEntries(counters.filter(([, counts]) => counts.some((count) => count !== 0)));
  }

  /** Returns the notifications that the APNs simulator accepted for a token. */
  async apnsNotificationsFor(token: string): Promise<{ collapse_id: string; payload: Record<string, unknown> }[]> {
    const response = await fetch(`${this.apns.facts.control_url}/arrived?token=${token}&limit=20000`);
    return ((await response.json()) as { arrived: [] }).arrived;
  }

  /** Stops everything. The test fails if a statement violated a law of the ledger, even if the role tried again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
    const violations = this.logLines.filter((line) => LAW_VIOLATION.test(line));
    assert.deepEqual(violations, []);
  }
}
