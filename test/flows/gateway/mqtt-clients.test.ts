import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import mqtt from 'mqtt';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { exchangePackets } from '../../mqtt/exchange-packets.ts';
import {
  connectBytes,
  join,
  text as lengthPrefixed,
  packet,
  properties,
  publish,
  uint16,
  type Version,
} from '../../mqtt/packet-bytes.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';

const versions = [
  { name: 'MQTT 3.1.1', protocolVersion: 4, option: 'mqttv311' },
  { name: 'MQTT 5', protocolVersion: 5, option: 'mqttv5' },
] as const;

/** Maximum time for a program to exit. */
const PROGRAM_SECONDS_MAX = 30;

describe('standard MQTT clients as devices', () => {
  let carillon: Carillon;
  let user: TestUser;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon();
    user = await carillon.createUser('ada');
  });
  after(() => carillon[Symbol.asyncDispose]());

  const gateway = () => carillon.gateways[0] as RoleProcess;
  const logIn = () => carillon.logIn(user, `phone-${++phones}`);

  /** Runs one of Mosquitto's programs as a device until it exits. */
  async function run(program: string, option: string, login: Login, ...args: string[]) {
    const who = ['-i', login.deviceGuid, '-u', login.push_token, '-P', login.token];
    const where = ['-h', '127.0.0.1', '-p', String(gateway().ports.gateway), '-V', option];
    const child = spawn(program, [...where, ...who, ...args], { timeout: PROGRAM_SECONDS_MAX * 1_000 });
    const [out, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, complaints, code: code as number | null };
  }

  const badgeOf = async (login: Login): Promise<number | undefined> => {
    for (const db of carillon.storage.shards.all) {
      const [row] = await db.query<{ badge: number }>(
        `select coalesce((select b.badges[array_position(b.device_ids, d.device_id)] from badge_blocks b
                           where b.app_id = d.app_id and b.bucket = d.bucket and d.device_id = any(b.device_ids)), 0) as badge
           from devices d where d.push_token = $1`,
        [login.push_token],
      );
      if (row) return row.badge;
    }
    return undefined;
  };

  for (const { name, option, protocolVersion } of versions) {
    test(`mosquitto_sub receives and acknowledges a notification, ${name}`, async () => {
      const login = await logIn();
      const ended = run('mosquitto_sub', option, login, '-q', '1', '-t', 'push', '-C', '1');
      const taskId = await carillon.notify({ push_token: [login.push_token] }, { title: 'Ding' });
      const { out, complaints, code } = await ended;
      assert.equal(code, 0, complaints);
      const { task_id, title } = JSON.parse(out) as Record<string, unknown>;
      assert.deepEqual([task_id, title], [taskId.toString(), 'Ding']);
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    });

    test(`mosquitto_pub reports the badge, ${name}`, async () => {
      const login = await logIn();
      const { complaints, code } = await run(
        ...(['mosquitto_pub', option, login] as const),
        ...['-q', '1', '-t', 'report/badge', '-m', '{"badge":7}'],
      );
      assert.equal(code, 0, complaints);
      assert.equal(await badgeOf(login), 7, 'the badge is stored before the report is acknowledged');
    });

    test(`mosquitto_sub with a will is rejected, ${name}`, async () => {
      const { complaints, code } = await run(
        ...(['mosquitto_sub', option, await logIn()] as const),
        ...['-t', 'push', '--will-topic', 'gone', '--will-payload', 'x'],
      );
      assert.match(complaints, /not authori[sz]ed/i);
      assert.notEqual(code, 0);
    });

    test(`MQTT.js subscribes, receives and acknowledges a notification, and reports a badge, ${name}`, async () => {
      const login = await logIn();
      await using device = await connectDevice(gateway(), login, { protocolVersion });
      const [granted] = await device.client.subscribeAsync('push', { qos: 1 });
      assert.equal(granted?.qos, 1);
      const taskId = await carillon.notify({ push_token: [login.push_token] }, { title: 'Dong' });
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
      assert.equal(device.received[0]?.title, 'Dong');
      await device.client.publishAsync('report/badge', '{"badge":3}', { qos: 1 });
      assert.equal(await badgeOf(login), 3);
      await device.client.publishAsync('report/badge', '{}', { qos: 0 });
      await eventually(async () => assert.equal(await badgeOf(login), 0));
    });

    test(`MQTT.js with a will is rejected, ${name}`, async () => {
      const login = await logIn();
      const client = mqtt.connect(gateway().mqttUrl, {
        ...{ clientId: login.deviceGuid, username: login.push_token, password: login.token },
        ...{ protocolVersion, reconnectPeriod: 0, will: { topic: 'gone', payload: Buffer.from('x') } },
      });
      const error = await new Promise<Error>((resolve) => client.once('error', resolve));
      assert.equal((error as Error & { code: number }).code, protocolVersion === 5 ? 0x87 : 5, error.message);
      await client.endAsync(true);
    });

    test(`a device reports over ${name} that a vendor delivered a notification, and the receipt is counted once`, async () => {
      const login = await logIn();
      const token = phones.toString(16).padStart(64, '0');
      await carillon.post('/device/bind', { provider: 1, token, environment: 1 }, { token: login.token });
      const setting = { distribution_strategy: 'ospush_only' };
      const taskId = await carillon.notify({ push_token: [login.push_token] }, { title: 'Ding' }, setting);
      const [arrived] = await eventually(async () => {
        const all = await carillon.apnsNotificationsFor(token);
        assert.equal(all.length, 1);
        return all;
      });
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 0] }));
      await using device = await connectDevice(gateway(), login, { protocolVersion });
      const list = [arrived?.payload.reference, '1.2.3', 'x'];
      for (let i = 0; i < 2; i++)
        await device.client.publishAsync('report/receipt', JSON.stringify({ list }), { qos: 1 });
      assert.deepEqual(
        await carillon.counters(taskId),
        { apns: [1, 1, 1] },
        'the receipt is counted before the report is acknowledged',
      );
    });
  }

  test('MQTT.js receives the MQTT 5 reason codes of rejected packets', async () => {
    await using device = await connectDevice(gateway(), await logIn(), { protocolVersion: 5 });
    const refusals = [
      { topic: 'news', payload: '{}', code: 0x87 },
      { topic: 'report/badge', payload: '{"badge":-1}', code: 0x99 },
    ];
    for (const { topic, payload, code } of refusals)
      await assert.rejects(device.client.publishAsync(topic, payload, { qos: 1 }), { code });
    await assert.rejects(device.client.subscribeAsync('news', { qos: 1 }), /Not authorized/);
    const disconnected = new Promise<{ reasonCode?: number }>((resolve) => device.client.once('disconnect', resolve));
    device.client.subscribe('#');
    assert.equal((await disconnected).reasonCode, 0xa2);
  });

  test('a device that reports too often is limited, and a burst of 30 reports is accepted', async () => {
    await using device = await connectDevice(gateway(), await logIn(), { protocolVersion: 5 });
    const codes: number[] = [];
    for (let badge = 0; badge < 40; badge++)
      await device.client.publishAsync('report/badge', JSON.stringify({ badge }), { qos: 1 }).then(
        () => codes.push(0),
        (error: { code: number }) => codes.push(error.code),
      );
    assert.ok(codes.filter((code) => code === 0).length >= 30, codes.join());
    assert.ok(codes.includes(0x97) && codes.every((code) => code === 0 || code === 0x97), codes.join());
  });

  /** Sends bytes in a session. Returns the responses of the gateway, and whether the session stays open. */
  async function answersTo(version: Version, bytes: Buffer): Promise<string[]> {
    const login = await logIn();
    const credentials = { clientId: login.deviceGuid, userName: login.push_token, password: login.token };
    const port = gateway().ports.gateway as number;
    return (await exchangePackets(port, version, connectBytes(version, credentials), bytes)).slice(1);
  }

  const reports = (version: Version, count: number, first = 0x32) =>
    join(...Array.from({ length: count }, (_, i) => publish(version, 'report/badge', { id: i + 1, first })));

  test('responses are in the order of the reports, even if some are rejected immediately', async () => {
    const bytes = join(
      publish(5, 'report/badge', { id: 1 }),
      publish(5, 'news', { id: 2 }),
      publish(5, 'report/badge', { id: 3, payload: Buffer.from('no') }),
      publish(5, 'report/badge', { id: 4 }),
    );
    const inOrder = ['puback 1 0x00', 'puback 2 0x87', 'puback 3 0x99', 'puback 4 0x00', 'open'];
    assert.deepEqual(await answersTo(5, bytes), inOrder);
  });

  test('a client that exceeds the receive maximum is disconnected', async () => {
    assert.deepEqual((await answersTo(5, reports(5, 21))).slice(-2), ['disconnect 0x93', 'closed']);
    const answers = await answersTo(5, reports(5, 19));
    assert.equal(answers.filter((answer) => /^puback \d+ 0x00$/.test(answer)).length, 19, answers.join());
    assert.equal(answers.at(-1), 'open');
  });

  test('an MQTT 3.1.1 client, which has no receive maximum, is disconnected if it reports too often', async () => {
    assert.equal((await answersTo(4, reports(4, 25))).at(-1), 'open');
    assert.deepEqual((await answersTo(4, reports(4, 35))).at(-1), 'closed');
  });

  test('a packet id that is still in use is rejected, unless the packet is a retransmission', async () => {
    const twice = (version: Version, first: number) =>
      answersTo(version, join(publish(version, 'report/badge'), publish(version, 'report/badge', { first })));
    assert.deepEqual(await twice(5, 0x32), ['puback 9 0x00', 'puback 9 0x91', 'open']);
    assert.deepEqual(await twice(5, 0x3a), ['puback 9 0x00', 'open']);
    assert.deepEqual(await twice(4, 0x3a), ['puback 9 0x00', 'open']);
    assert.deepEqual(await twice(4, 0x32), ['closed']);
  });

  test('accepts at most four filters in a SUBSCRIBE packet', async () => {
    const filters = (version: Version) =>
      packet(0x82, uint16(7), properties(version), ...Array.from({ length: 6 }, () => join(lengthPrefixed('push'), 1)));
    assert.deepEqual(await answersTo(5, filters(5)), ['suback 7 0x01 0x01 0x01 0x01 0x97 0x97', 'open']);
    assert.deepEqual(await answersTo(4, filters(4)), ['suback 7 0x01 0x01 0x01 0x01 0x80 0x80', 'open']);
  });

  test('reads at most 1,000 packets per second after a burst, without blocking other sessions', async () => {
    await using device = await connectDevice(gateway(), await logIn());
    const pings = Buffer.alloc(2 * 4_500, Buffer.from([0xc0, 0]));
    const began = performance.now();
    const answering = answersTo(4, pings);
    await device.client.publishAsync('report/badge', '{}', { qos: 1 });
    const publishedMs = performance.now() - began;
    const answers = await answering;
    const answeredMs = performance.now() - began;
    assert.deepEqual([answers.length, answers.at(-1)], [4_501, 'open']);
    assert.ok(answeredMs > 2_000, `the pings were answered after ${answeredMs} ms`);
    assert.ok(publishedMs < 1_000, `the other device waited ${publishedMs} ms`);
  });
});
