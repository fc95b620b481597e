import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LOOPBACK_SETTINGS } from '../../scripts/dev/role-process.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { createSwarm } from '../support/device-swarm.ts';
import { eventually } from '../support/eventually.ts';
import { commandsFor } from './commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT_MS_MAX = 120_000;

describe('docs/operate/upgrade.md', () => {
  let carillon: Carillon;
  let directory: string;
  let pid: number | undefined;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'carillon-upgrade-'));
    carillon = await startCarillon({ gateways: 0 });
  });
  after(async () => {
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
    await carillon?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  test('the commands replace a gateway, the new gateway delivers notifications, and the doctor runs', async () => {
    const ports = { CARILLON_HEALTH_PORT: `${await freePort()}`, CARILLON_MQTT_PORT: `${await freePort()}` };
    const gateway = await carillon.start('gateway', ports);
    await writeFile(join(directory, 'gateway-1.pid'), `${gateway.pid}\n`);
    using swarm = await createSwarm(carillon, 1, { ports: () => [Number(ports.CARILLON_MQTT_PORT)] });
    await swarm.connectAll();
    const [member] = swarm.members;
    const first = await carillon.notify({ user_id: [member?.userId] }, { title: 'By the old one' });
    await eventually(() => assert.deepEqual(swarm.missing(first), []));

    const script = ['set -eu', ...commandsFor('upgrade', 'docs/operate/upgrade.md')].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: root,
      timeout: SCRIPT_MS_MAX,
      env: {
        ...LOOPBACK_SETTINGS,
        ...carillon.settings,
        ...ports,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        RUN: directory,
        // Keeps the sessions within the open-file limit of this process.
        CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: '10',
        CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: '10',
        CARILLON_URL: carillon.apis[0]?.apiUrl as string,
        CARILLON_APP_ID: carillon.appId,
        CARILLON_ADMIN_TOKEN: carillon.adminToken,
      },
    });
    pid = Number(await readFile(join(directory, 'gateway-1.pid'), 'utf8'));
    assert.ok(!gateway.isAlive && pid !== gateway.pid);
    assert.match(stdout, /"event":"migrated"/);
    assert.match(stdout, /migrations/, 'output of the doctor');

    const second = await carillon.notify({ user_id: [member?.userId] }, { title: 'By the new one' });
    await eventually(() => assert.deepEqual(swarm.missing(second), []));
    assert.equal(member?.taskIds.length, 2);
  });
});
