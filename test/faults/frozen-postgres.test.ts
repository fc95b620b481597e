import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { countWarnings } from '../support/count-warnings.ts';
import { createSwarm, type DeviceSwarm } from '../support/device-swarm.ts';
import { eventually } from '../support/eventually.ts';

const SESSIONS = Number(process.env.SESSIONS ?? 2_000);
const FROZEN_MS = Number(process.env.FROZEN_MS ?? 5_500);
const REWRITTEN_MAX = SESSIONS / 10;
const PUSHES = 40;

describe(`PostgreSQL is frozen for ${FROZEN_MS / 1_000} s`, () => {
  let stack: Stack;
  let carillon: Carillon;
  let swarm: DeviceSwarm;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, gateways: 1, workers: 1 });
    swarm = await createSwarm(carillon, SESSIONS, { keepalive: 600 });
    await swarm.connectAll(20);
  });
  after(async () => {
    swarm?.[Symbol.dispose]();
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  /** Returns the version of the session row of each device. Every write of the row changes the version. */
  async function readVersions(): Promise<Map<bigint, string>> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ deviceId: bigint; version: string }>(
          `select device_id as "deviceId", xmin::text || ctid::text as version from sessions`,
        ),
      ),
    );
    return new Map(rows.flat().map(({ deviceId, version }) => [deviceId, version]));
  }

  /** Waits until all gateways have written this many further heartbeats to every shard database. */
  async function waitForHeartbeats(count: number): Promise<void> {
    const readOldest = async () => {
      const rows = await Promise.all(
        carillon.storage.shards.all.map((db) =>
          db.query<{ at: string }>('select min(heartbeat_at)::text as at from gateways'),
        ),
      );
      return rows.flat().map(({ at }) => at);
    };
    for (let i = 0; i < count; i++) {
      const before = await readOldest();
      await eventually(async () => {
        const now = await readOldest();
        assert.ok(
          now.every((at, j) => at !== before[j]),
          'no heartbeat was written',
        );
      });
    }
  }

  /** Returns the number of sessions by epoch, for the output of the test. */
  async function readEpochs(): Promise<string> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ epoch: number; count: bigint }>(
          'select epoch, count(*) from sessions where online group by 1 order by 1',
        ),
      ),
    );
    return rows.map((ofDb) => ofDb.map(({ epoch, count }) => `epoch ${epoch}: ${count}`).join(' ')).join(' | ');
  }

  async function wasInInbox(taskId: bigint): Promise<boolean> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ history: string }>(
          `select array_to_string(history, ';') as history from slices where task_id = $1`,
          [taskId],
        ),
      ),
    );
    return rows.flat().some(({ history }) => history.includes('in-inbox'));
  }

  interface SentPush {
    readonly taskId: bigint;
    readonly index: number;
    /** Milliseconds after PostgreSQL continued. */
    readonly sentMs: number;
  }

  /** Sends a push to one device after the other. Rejected pushes are left out. */
  async function sendPushes(): Promise<SentPush[]> {
    const began = performance.now();
    const sent: SentPush[] = [];
    for (let i = 0; i < PUSHES; i++) {
      const index = (i * 37) % SESSIONS;
      const member = swarm.members[index];
      assert.ok(member);
      const response = await carillon
        .tryPost<{ task_id: number }>('/push/notify', {
          audience: { push_token: [member.login.push_token] },
          message: { body: 'hi' },
          setting: { distribution_strategy: 'nativepush_only' },
        })
        .catch(() => undefined);
      if (response?.code === 200)
        sent.push({ taskId: BigInt(response.data.task_id), index, sentMs: performance.now() - began });
      await sleep(100);
    }
    return sent;
  }

  test('few session rows are written again, and no device is disconnected', async () => {
    await waitForHeartbeats(1);
    assert.equal(swarm.connected, SESSIONS);
    const [versionsBefore, epochsBefore] = [await readVersions(), await readEpochs()];
    carillon.logLines.length = 0;
    await stack.freeze('postgres');
    const frozenAt = performance.now();
    await sleep(FROZEN_MS);
    await stack.thaw('postgres');
    const frozenSeconds = (performance.now() - frozenAt) / 1_000;

    // All devices are still connected, so these pushes need no inbox.
    const sent = await sendPushes();
    const result = await eventually(() => {
      const missing = sent.filter(({ taskId, index }) => !swarm.members[index]?.taskIds.includes(taskId.toString()));
      assert.equal(missing.length, 0, `${missing.length} missing`);
    }, 30).then(
      () => 'all received',
      (error: Error) => error.message,
    );
    const inboxMs: number[] = [];
    for (const { taskId, sentMs } of sent) if (await wasInInbox(taskId)) inboxMs.push(sentMs);
    await waitForHeartbeats(2);

    const announcedAgain = carillon.logLines
      .filter((line) => line.includes('sessions-announced-again'))
      .map((line) => JSON.parse(line) as { sessions: number; epoch: number })
      .map(({ sessions, epoch }) => `${sessions} in epoch ${epoch}`);
    const versions = await readVersions();
    const rewritten = [...versions].filter(([deviceId, version]) => versionsBefore.get(deviceId) !== version).length;
    const disconnected = swarm.members.filter(({ connects }) => connects > 1).length;
    console.log(`  frozen for ${frozenSeconds.toFixed(1)} s, ${SESSIONS} sessions: ${rewritten} session rows written`);
    console.log(`  ${epochsBefore} -> ${await readEpochs()}; announced again: ${announcedAgain.join(', ') || 'none'}`);
    console.log(`  ${disconnected} disconnected, ${swarm.connected} connected at the end`);
    console.log(`  ${sent.length} pushes accepted afterwards: ${result}, ${inboxMs.length} through the inbox`);
    console.log(
      `  accepted ms after the freeze: ${inboxMs
        .map((ms) => ms.toFixed(0))
        .slice(0, 12)
        .join(' ')}`,
    );
    console.log('  warnings', JSON.stringify(countWarnings(carillon)));
    assert.equal(disconnected, 0);
    assert.equal(swarm.connected, SESSIONS);
    assert.equal(result, 'all received');
    assert.ok(rewritten <= REWRITTEN_MAX, `${rewritten} rows were written for ${SESSIONS} sessions`);
  });
});
