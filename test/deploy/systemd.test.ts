import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { everySetting, purposesOf, type RoleName, settingsOf } from '#src/bin/settings.ts';
import { loadSettings, unknownSettings } from '#src/foundation/settings.ts';
import { run } from '../support/run-command.ts';
import { deploy, readDeploy } from './compose-file.ts';

const root = join(deploy, '..');
const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze';
const noSystemd = !existsSync(SYSTEMD_ANALYZE) && 'systemd-analyze is missing: apt-get install systemd';
const unit = readDeploy('systemd/carillon-role@.service');
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
const readPage = (name: string) => readFileSync(join(root, 'docs/operate', name), 'utf8');

/** Processes that have a settings file: `api-1`, `api-2`, … */
const processes = globSync('systemd/*-[0-9].env', { cwd: deploy }).map((path) => path.replace(/^.*\/|\.env$/g, ''));

/** Returns the environment that systemd passes to a process, from the files that the unit names. */
async function environmentOf(name: string): Promise<Record<string, string>> {
  const [role = '', instance = ''] = name.split('-');
  const sourced = valuesOf('EnvironmentFile').flatMap((named = '') => {
    const file = named.replaceAll('%j', role).replaceAll('%i', instance);
    const path = join(deploy, 'systemd', file.replace(/^-?\/etc\/carillon\//, ''));
    if (!existsSync(path)) assert.match(file, /^-/, `${file} must exist`);
    return existsSync(path) ? [`. '${path}'`] : [];
  });
  // Commands in docs/operate/systemd.md read the files in a shell, so a shell must interpret them like systemd.
  const { code, stdout, stderr } = await run('env', ['-i', 'sh', '-eac', `${sourced.join('; ')}; /usr/bin/env`]);
  assert.equal(code, 0, stderr);
  return Object.fromEntries([...stdout.matchAll(/^(CARILLON_\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]));
}

/** Returns the file that adds settings to the unit of a role, or an empty text. */
function dropInOf(role: string): string {
  const path = join(deploy, `systemd/carillon-${role}@.service.d/master-keys.conf`);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

describe('deploy/systemd', () => {
  test('has a unit that systemd-analyze accepts', { skip: noSystemd }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'carillon-unit-'));
    const verify = (role: string, text: string, dropIn = dropInOf(role)) => {
      writeFileSync(join(place, `carillon-${role}@.service`), text.replaceAll('/opt/carillon', root));
      mkdirSync(join(place, `carillon-${role}@.service.d`), { recursive: true });
      writeFileSync(join(place, `carillon-${role}@.service.d/master-keys.conf`), dropIn);
      return run(SYSTEMD_ANALYZE, ['verify', join(place, `carillon-${role}@1.service`)]);
    };
    try {
      for (const role of ['api', 'gateway', 'worker'])
        assert.deepEqual(await verify(role, unit), { code: 0, stdout: '', stderr: '' });
      const { stderr } = await verify('gateway', unit.replace('RestartSec', 'RestartSeconds'));
      assert.match(stderr, /Unknown key/, 'systemd-analyze rejects an unknown key');
      const wrong = await verify('api', unit, dropInOf('api').replace('LoadCredential', 'LoadCredentials'));
      assert.match(wrong.stderr, /Unknown key/, 'systemd-analyze reads the additional file');
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('starts the role in its name with the Node version that npm ci installs', () => {
    const [start] = valuesOf('ExecStart');
    const [node, script, role, ...more] = start?.split(' ') ?? [];
    const [directory] = valuesOf('WorkingDirectory');
    assert.equal(node, `${directory}/node_modules/.bin/node`);
    assert.deepEqual([role, more], ['%j', []]);
    assert.ok(existsSync(join(root, 'node_modules/.bin/node')) && existsSync(join(root, script as string)));
    const commands = readFileSync(join(root, script as string), 'utf8');
    const roles = new Set(processes.map((name) => name.split('-')[0]));
    assert.deepEqual([...roles].sort(), ['api', 'gateway', 'worker']);
    for (const name of roles) assert.match(commands, new RegExp(`^  ${name}: `, 'm'));
    assert.match(readPage('systemd.md'), /for role in api gateway worker; do\n.*carillon-\$role@\.service"\n/);
  });

  test('waits longer than a gateway needs to stop, and allows enough open files for its devices', () => {
    const { process: every, gateway } = everySetting;
    const defaultOf = (property: unknown) => (property as { default: number }).default;
    const drain = defaultOf(every.properties.CARILLON_READINESS_DELAY_SECONDS);
    const gatewayDrain = defaultOf(gateway.properties.CARILLON_GATEWAY_DRAIN_SECONDS);
    assert.ok(Number(valuesOf('TimeoutStopSec')) >= drain + gatewayDrain + 15);
    const sessions = defaultOf(gateway.properties.CARILLON_GATEWAY_SESSIONS_PER_APP_MAX);
    const pendingConnections = defaultOf(gateway.properties.CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX);
    assert.ok(
      Number(valuesOf('LimitNOFILE')) >= sessions + pendingConnections + 200,
      'the limit that the doctor requires',
    );
  });

  test('has valid settings for two processes of each role on one machine', async () => {
    assert.equal(processes.length, 6);
    const usedPorts: (string | number)[] = [1883, 8883, 443, 9090]; // used by the proxy and by Prometheus
    for (const name of processes) {
      const environment = await environmentOf(name);
      assert.deepEqual(unknownSettings(everySetting, environment, 'CARILLON_'), [], name);
      const [role] = name.split('-');
      const isGateway = role === 'gateway';
      assert.deepEqual(
        Object.keys(environment).filter((setting) => setting.startsWith('CARILLON_MASTER_KEYS')),
        [],
        'master keys are in separate files',
      );
      const keys = purposesOf([role as RoleName]).map((purpose) => `CARILLON_MASTER_KEYS_${purpose.toUpperCase()}`);
      const {
        process: every,
        api,
        gateway,
      } = loadSettings(settingsOf([role as RoleName]), {
        ...environment,
        ...Object.fromEntries(keys.map((setting) => [setting, 'id:key'])),
      });
      usedPorts.push(every.CARILLON_HEALTH_PORT);
      if (role === 'api') usedPorts.push(api.CARILLON_API_PORT);
      if (isGateway) usedPorts.push(gateway.CARILLON_MQTT_PORT, gateway.CARILLON_MQTT_WEBSOCKET_PORT);
    }
    assert.equal(new Set(usedPorts).size, usedPorts.length, usedPorts.join(' '));
  });

  test('gives each role only the master keys that it needs, as files of this process', () => {
    for (const role of ['api', 'gateway', 'worker'] as const) {
      const expected = purposesOf([role]).flatMap((purpose) => [
        `LoadCredential=${purpose}:/etc/carillon/master-keys/${purpose}`,
        `Environment=CARILLON_MASTER_KEYS_${purpose.toUpperCase()}_FILE=%d/${purpose}`,
      ]);
      const lines = dropInOf(role).split('\n');
      assert.deepEqual(lines.filter((line) => line.includes('=')).sort(), expected.sort(), role);
    }
  });

  test('is upgraded process by process in docs/operate/upgrade.md, and each process is checked on its own port', async () => {
    const steps = [...readPage('upgrade.md').matchAll(/replace ([a-z]+)@(\d) (\d+)/g)];
    assert.deepEqual(steps.map(([, role, number]) => `${role}-${number}`).toSorted(), processes.toSorted());
    assert.deepEqual([...new Set(steps.map(([, role]) => role))], ['gateway', 'worker', 'api']);
    for (const [, role, number, port] of steps)
      assert.equal((await environmentOf(`${role}-${number}`)).CARILLON_HEALTH_PORT, port);
  });

  test('is restarted in docs/operate/keys.md wherever a process has master keys, and checked on its own port', async () => {
    const [, list = ''] = /for process in ([^;]+);/.exec(readPage('keys.md')) ?? [];
    const steps = [...list.matchAll(/([a-z]+)@(\d):(\d+)/g)];
    const restarted = steps.map(([, role, number]) => `${role}-${number}`);
    const having = processes.filter((name) => dropInOf(name.split('-')[0] as string) !== '');
    assert.deepEqual(restarted.toSorted(), having.toSorted());
    for (const [, role, number, port] of steps)
      assert.equal((await environmentOf(`${role}-${number}`)).CARILLON_HEALTH_PORT, port);
  });
});
