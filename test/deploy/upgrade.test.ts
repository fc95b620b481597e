import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { previousVersionSkipReason } from '../support/previous-version.ts';
import { type Installation, installPreviousVersion, type SlotRole, type Version } from './upgrade/installation.ts';
import { NotifyLoad } from './upgrade/notify-load.ts';
import { createPhones, type Phone, type Phones } from './upgrade/phones.ts';

/** Minimum number of notifications that must reach each kind of phone in a stage before the next stage starts. */
const EACH_MIN = 2;
const STAGE_SECONDS_MAX = 30;
const TASKS_PER_CALL = 500;

describe('an upgrade from the previous version', { skip: previousVersionSkipReason() ?? false }, () => {
  let installation: Installation;
  let phones: Phones;
  let stream: NotifyLoad;
  const began = performance.now();

  before(async () => {
    installation = await installPreviousVersion();
    phones = await createPhones(installation);
    stream = new NotifyLoad(installation, phones);
    stream.start();
  });
  after(async () => {
    await stream?.end().catch(() => undefined);
    phones?.[Symbol.dispose]();
    await installation?.[Symbol.asyncDispose]();
  });

  /** Runs a stage in which no process is replaced, so that its notifications pass through exactly these versions. */
  async function stage(name: string, versions: Record<SlotRole, Version | 'both'>): Promise<void> {
    for (const [role, version] of Object.entries(versions) as [SlotRole, Version | 'both'][]) {
      const running = installation.versionsOf(role).sort();
      assert.deepEqual(running, version === 'both' ? ['new', 'old'] : [version], `${name}: ${role}`);
    }
    stream.stage = name;
    try {
      await stream.notifyEveryone();
      await eventually(async () => {
        const stageNotifications = stream.sent.filter((sent) => sent.stage === name);
        const tallies = { apple: await phones.tally('apns'), xiaomi: await phones.tally('xiaomi') };
        for (const kind of ['apple', 'xiaomi'] as const) {
          const arrived = stageNotifications.filter(
            ({ taskId, recipients }) => recipients[0]?.kind === kind && tallies[kind].has(taskId),
          );
          assert.ok(arrived.length >= EACH_MIN, `${name}: ${arrived.length} single notifications have reached ${kind}`);
        }
        for (const by of versions.gateway === 'both' ? (['old', 'new'] as const) : [versions.gateway]) {
          const received = phones.received.filter(
            (each) => each.gatewayVersion === by && stageNotifications.some(({ taskId }) => taskId === each.taskId),
          );
          assert.ok(
            received.length >= EACH_MIN,
            `${name}: ${received.length} notifications were delivered by gateways of version ${by}`,
          );
        }
      }, STAGE_SECONDS_MAX);
    } finally {
      stream.stage = undefined;
    }
  }

  test('works before anything is changed', () => stage('before', { api: 'old', worker: 'old', gateway: 'old' }));

  test('starts with the databases, while all roles are running', async () => {
    const { code, stdout } = await installation.command('new', 'migrate');
    assert.equal(code, 0, stdout);
    await stage('the new schema', { api: 'old', worker: 'old', gateway: 'old' });
  });

  test('continues with the gateways: old workers use new gateways', async () => {
    await installation.replace('gateway-1', 'new');
    await installation.replace('gateway-2', 'new');
    await stage('new gateways', { api: 'old', worker: 'old', gateway: 'new' });
    // Metrics must stay valid even without the fields that an old worker does not send.
    assert.deepEqual(await installation.nanMetrics('gateway-1', 'gateway-2'), []);
  });

  test('continues with the workers, which process tasks that old APIs accepted', async () => {
    await installation.replace('worker-1', 'new');
    await stage('a new worker next to an old one', { api: 'old', worker: 'both', gateway: 'new' });
    await installation.replace('worker-2', 'new');
    await stage('new workers', { api: 'old', worker: 'new', gateway: 'new' });
  });

  test('ends with the APIs', async () => {
    await installation.replace('api-1', 'new');
    await stage('a new API next to an old one', { api: 'both', worker: 'new', gateway: 'new' });
    await installation.replace('api-2', 'new');
    await stage('only new processes', { api: 'new', worker: 'new', gateway: 'new' });
  });

  test('can be rolled back on the new schema: new workers use an old gateway, and an old worker processes tasks from new APIs', async () => {
    assert.equal((await installation.command('old', 'migrate')).code, 0, 'the old migrate accepts the new schema');
    await installation.replace('gateway-1', 'old');
    // Phones that were switched off until now receive all notifications from the old gateway.
    await phones.connect(phones.ofKinds('late'), () => [installation.portOf('gateway-1')]);
    await stage('an old gateway again', { api: 'new', worker: 'new', gateway: 'both' });
    await installation.replace('worker-1', 'old');
    await installation.stop('worker-2');
    await stage('old workers again', { api: 'new', worker: 'old', gateway: 'both' });
    await installation.replace('api-1', 'old');
    assert.deepEqual(await installation.nanMetrics('gateway-2', 'api-2'), []);
    await stage('one of each again', { api: 'both', worker: 'old', gateway: 'both' });
  });

  test('loses nothing, counts exactly, rejects no call and sends nothing twice', async (t) => {
    await stream.end();
    const { sent, retries } = stream;
    const { home } = installation.carillon.storage;
    await eventually(async () => {
      const open = await home.query(`select task_id, state from tasks where state <> 'finished'`);
      assert.deepEqual(open, []);
    }, 30);
    const tallies = { apns: await phones.tally('apns'), xiaomi: await phones.tally('xiaomi') };
    const counters = await readCounters(sent.map(({ taskId }) => taskId));
    const receivedByTask = Map.groupBy(phones.received, ({ taskId }) => taskId);
    let repeats = 0;
    for (const { taskId, recipients } of sent) {
      const received = receivedByTask.get(taskId) ?? [];
      const receivingPhones = new Set(received.map(({ phone }) => phone));
      const tokens = { apns: tallies.apns.get(taskId) ?? new Map(), xiaomi: tallies.xiaomi.get(taskId) ?? new Map() };
      const has = (phone: Phone) =>
        receivingPhones.has(phone) ||
        tokens.apns.has(phone.token as string) ||
        tokens.xiaomi.has(phone.token as string);
      const missing = recipients.filter((phone) => !has(phone)).map(({ kind, userId }) => `${kind} ${userId}`);
      assert.deepEqual(missing, [], `phones that did not receive ${taskId}`);
      assert.ok(
        [...receivingPhones].every((phone) => recipients.includes(phone)),
        'only recipients receive a notification',
      );
      const { apns_sent, xiaomi_sent, nativepush_sent, nativepush_received } = counters.get(taskId) ?? {};
      assert.deepEqual(
        { apns_sent, xiaomi_sent, nativepush_sent, nativepush_received },
        {
          apns_sent: tokens.apns.size,
          xiaomi_sent: tokens.xiaomi.size,
          nativepush_sent: receivingPhones.size,
          nativepush_received: receivingPhones.size,
        },
        `counters of ${taskId}`,
      );
      const times =
        received.length + [...tokens.apns.values(), ...tokens.xiaomi.values()].reduce((sum, each) => sum + each, 0);
      repeats += times - recipients.length;
    }
    const [tasks] = await home.query<{ count: number }>('select count(*)::int as count from tasks');
    assert.equal(tasks?.count, sent.length, 'every task belongs to a successful call');
    t.diagnostic(
      `${sent.length} calls, ${phones.all.length} phones, ${phones.received.length} delivered by gateways, ` +
        `${retries.length} calls retried, ${repeats} sent twice, ${phones.refusals} connections rejected, ` +
        `${((performance.now() - began) / 1_000).toFixed(0)} s`,
    );
    assert.deepEqual(retries, []);
    assert.equal(repeats, 0);
    await checkLaws(installation.carillon.storage);
    assert.deepEqual(installation.carillon.errorLines, []);
  });

  async function readCounters(taskIds: readonly bigint[]): Promise<Map<bigint, Record<string, number>>> {
    const countersByTask = new Map<bigint, Record<string, number>>();
    for (let i = 0; i < taskIds.length; i += TASKS_PER_CALL) {
      const list = taskIds.slice(i, i + TASKS_PER_CALL);
      const api = installation.carillon.apis.findLast(({ isAlive }) => isAlive) as RoleProcess;
      const { data } = await installation.carillon.post<Record<string, number>[]>(
        '/push/task/detail',
        { list },
        { api },
      );
      for (const record of data) countersByTask.set(BigInt(record.task_id as number), record);
    }
    return countersByTask;
  }
});
