import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'mqtt-packet';
import { USER_TOKEN_PREFIX } from '#src/api/http/authenticate.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';

const CONNECTS_PER_SECOND = 40;
const UNKNOWN_TOKENS_PER_MINUTE = 20;
const ATTACKING_ADDRESSES = 10;
const ATTACKS_PER_SECOND = 30;
const DEVICES = 30;
const CONNECT_MS_MAX = 5_000;
const RETRY_MS = 500;
const ACCEPTED = 0;
const BAD_CREDENTIALS = 4;

describe('ten addresses connect with invented tokens', () => {
  let carillon: Carillon;
  let gateway: RoleProcess;

  before(async () => {
    const settings = {
      CARILLON_GATEWAY_CONNECTS_PER_SECOND: `${CONNECTS_PER_SECOND}`,
      CARILLON_GATEWAY_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: `${UNKNOWN_TOKENS_PER_MINUTE}`,
    };
    carillon = await startCarillon({ gateways: 1, workers: 0, settings });
    [gateway] = carillon.gateways as [RoleProcess];
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Sends a CONNECT and returns the code of the CONNACK, or undefined if the connection is closed without one. */
  async function connect(login: Login, localAddress: string): Promise<number | undefined> {
    const socket = createConnection({ port: gateway.ports.gateway as number, host: '127.0.0.1', localAddress });
    try {
      socket.write(
        generate({
          ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 },
          ...{ clientId: login.deviceGuid, username: login.push_token, password: Buffer.from(login.token) },
        }),
      );
      const [connack] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
      return typeof connack === 'object' ? connack[3] : undefined;
    } catch {
      return undefined;
    } finally {
      socket.destroy();
    }
  }

  const inventLogin = (): Login => ({
    token: withChecksum(USER_TOKEN_PREFIX + randomText(256)),
    push_token: pushTokenOf(7, randomText(160)),
    deviceGuid: `invented-${randomText(40)}`,
  });

  /** Starts the attack. The result contains the number of connections for which the databases were asked. */
  function attack(signal: AbortSignal): Promise<number[]> {
    const addresses = Array.from({ length: ATTACKING_ADDRESSES }, (_, i) => `127.0.0.${10 + i}`);
    return Promise.all(
      addresses.map(async (address) => {
        let rejected = 0;
        const attempts: Promise<void>[] = [];
        while (!signal.aborted) {
          const attempt = connect(inventLogin(), address).then((code) => {
            if (code === BAD_CREDENTIALS) rejected++;
          });
          attempts.push(attempt);
          await sleep(1_000 / ATTACKS_PER_SECOND);
        }
        await Promise.all(attempts);
        return rejected;
      }),
    );
  }

  /** Connects like a device, which tries again if the gateway is busy. Returns the time that this took. */
  async function connectHonestly(login: Login): Promise<number> {
    const began = performance.now();
    while (performance.now() - began < 2 * CONNECT_MS_MAX) {
      if ((await connect(login, '127.0.0.1')) === ACCEPTED) return performance.now() - began;
      await sleep(RETRY_MS);
    }
    return Number.POSITIVE_INFINITY;
  }

  test('other devices connect within five seconds, whether or not they were connected before', async () => {
    const { appId, storage } = carillon;
    const userId = await addUser(storage.home, appId);
    const logins = await Promise.all(
      Array.from({ length: 2 * DEVICES }, (_, i) => addDevice(storage, { appId, userId, deviceGuid: `phone-${i}` })),
    );
    const [known, unknown] = [logins.slice(0, DEVICES), logins.slice(DEVICES)];
    for (const login of known) await connectHonestly(login);
    const over = new AbortController();
    const attacking = attack(over.signal);
    await sleep(2_000);
    const times: number[] = [];
    for (let i = 0; i < DEVICES; i++) {
      times.push(...(await Promise.all([known[i], unknown[i]].map((login) => connectHonestly(login as Login)))));
      await sleep(50);
    }
    over.abort();
    const rejected = await attacking;
    times.sort((a, b) => a - b);
    const inTime = times.filter((ms) => ms <= CONNECT_MS_MAX).length / times.length;
    console.log(
      `  ${times.length} connects, slowest ${times.at(-1)?.toFixed(0)} ms; rejected tokens ${rejected.join(' ')}`,
    );
    assert.ok(inTime >= 0.99, `${inTime} of the devices connected in time`);
    for (const count of rejected) assert.ok(count <= UNKNOWN_TOKENS_PER_MINUTE, `${count} tokens were looked up`);
  });

  test('CONNECTs that are invalid without a database do not use the limit', async () => {
    const { appId, storage } = carillon;
    const userId = await addUser(storage.home, appId);
    const login = await addDevice(storage, { appId, userId, deviceGuid: 'among-invalid' });
    const invalid = { ...inventLogin(), token: 'cu_invalid' };
    const codes = await Promise.all(
      Array.from({ length: 2 * CONNECTS_PER_SECOND }, (_, i) => connect(invalid, `127.0.0.${30 + (i % 8)}`)),
    );
    assert.deepEqual(new Set(codes), new Set([BAD_CREDENTIALS]));
    assert.equal(await connect(login, '127.0.0.1'), ACCEPTED);
  });
});
