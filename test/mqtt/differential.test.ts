import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { connectRows } from './connect-rows.ts';
import { isEquivalent } from './differential-row.ts';
import { exchangePackets } from './exchange-packets.ts';
import { startMosquitto } from './mosquitto.ts';
import { type Credentials, connectBytes, join, type Version } from './packet-bytes.ts';
import { sessionRows } from './session-rows.ts';

describe('gateway responses compared with Mosquitto', () => {
  let carillon: Carillon;
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>;
  /** Filled in before the first row is sent. */
  const credentials = { clientId: 'phone', userName: '', password: '' };

  before(async () => {
    mosquitto = await startMosquitto();
    carillon = await startCarillon({ workers: 0 });
    const login = await carillon.logIn(await carillon.createUser('ada'), 'phone');
    Object.assign(credentials, { userName: login.push_token, password: login.token } satisfies Partial<Credentials>);
  });
  after(async () => {
    await carillon[Symbol.asyncDispose]();
    await mosquitto[Symbol.asyncDispose]();
  });

  const gateway = () => carillon.gateways[0] as RoleProcess;

  for (const version of [4, 5] as const) {
    const rows = () => [...connectRows(version, credentials), ...sessionRows(version)];
    // Tests are declared before the login, but the packets contain its credentials. Each test therefore creates the
    // rows again and selects its row by index.
    for (const [i, { name, differs }] of rows().entries())
      test(`${version === 5 ? 'MQTT 5' : 'MQTT 3.1.1'}: ${name}${differs ? `, but ${differs.why}` : ''}`, async () => {
        const { connect = connectBytes(version, credentials), bytes = join() } = rows()[i] as ReturnType<
          typeof rows
        >[0];
        const answers = await Promise.all([
          exchangePackets(gateway().ports.gateway as number, version, connect, bytes),
          exchangePackets(mosquitto.port, version, connect, bytes),
        ]);
        const isAboutSession = i >= connectRows(version, credentials).length;
        if (isAboutSession)
          assert.deepEqual(
            answers.map((responses) => responses.shift()),
            ['connack 0x00', 'connack 0x00'],
          );
        const [ours, theirs] = answers;
        if (differs) assert.deepEqual({ ours, theirs }, { ours: differs.ours, theirs: differs.theirs });
        else if (!isEquivalent(ours, theirs)) assert.deepEqual(ours, theirs);
      });

    test(`has enough rows for version ${version}, and the gateway still accepts connections`, async () => {
      assert.ok(rows().length >= 40 && new Set(rows().map(({ name }) => name)).size === rows().length);
      const alike = rows().filter(({ differs }) => !differs).length;
      assert.ok(alike >= 40, `${alike} of ${rows().length} responses are equal`);
      const port = gateway().ports.gateway as number;
      const answer = await exchangePackets(port, version as Version, connectBytes(version, credentials), join());
      assert.deepEqual(answer, ['connack 0x00', 'open']);
    });
  }
});
