import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseKeyring } from '#src/foundation/sealed-box.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { commandsFor } from './commands.ts';
import { type OperatorShell, openOperatorShell } from './operator-shell.ts';

const USER_ID = 42n;
const ERASED_USER_ID = 43n;
const PASSWORD = 'ada-password';
const HOUR_SECONDS = 3_600;

/** Expected output of each block of docs/operate/monitoring.md, in the order of the page. */
const monitoring: readonly RegExp[] = [/^ok\n\{"started":true,"database":true,"draining":false\}\n$/];

/** Expected output of each block of docs/operate/troubleshooting.md, in the order of the page. */
const troubleshooting: readonly RegExp[] = [
  /\n0 wrong, .*\n(.*\n)*provider +environment .*\napns \(1\) .* yes [\s\S]*\{"started":true,"database":true,"draining":false\}\n$/,
  /^her-phone \(p\w+\): acknowledged\n[\s\S]* her-phone +42 [\s\S]*The notification would be sent to 1 device/,
  /^nativepush: target 1, sent 1, received 1$[\s\S]*: finished; 1 sent, 1 received\n$/m,
  // The metrics have no fixed order.
  /^ +task_id +state (?=[\s\S]*^carillon_ready 1$)(?=[\s\S]*^carillon_role\{role="worker"\} 1$)[\s\S]*^carillon_sent_total\{channel="nativepush",outcome="written"\} [1-9]/m,
  /^result: +good$/m,
  /^ +nativepush +1 +1 +1$/m,
  /^notify_per_second: 0$[\s\S]*^ *audit_id\b/m,
];

/** Expected output of each block of docs/operate/troubleshooting-infrastructure.md, in the order of the page. */
const infrastructure: readonly RegExp[] = [
  /^carillon_gateway_sessions \d+$/m,
  /^carillon_backlog_seconds\{lane="prompt"\} \d/m,
  /relname +\| +size[\s\S]*\n\(10 rows\)\n/,
];

/** Expected output of each block of docs/operate/incidents.md, in the order of the page. */
const incidents: readonly RegExp[] = [
  /^(task \d+: cancelled; 0 were already sent\n){2}$/,
  /^notify_per_second: 5$/m,
  /^(task \d+: cancelled; 0 were already sent\n)+$/,
  /^notify_per_second: 0$/m,
  /^token_id [\s\S]*^token: +ca_\w+$/m,
  /^ca_\w+\n$/,
  /^ *provider +environment +name /,
  /^user_id: +42$/m,
  /^broken: 0$/m,
  /^None\.$/m,
  /^rows: +0$/m,
];

/** Expected output of each block of docs/operate/personal-data.md. */
const personalData: readonly RegExp[] = [/^$/, /^erasure_id: +1\n[\s\S]*^ *erasure_id +user_id +state /m];

/** Expected output of each block of docs/reference/cli.md. */
const cli: readonly RegExp[] = [
  /^The notification would be sent to 1 device[\s\S]*: finished; \d+ sent, \d+ received\n[\s\S]*her-phone \(p\w+\): acknowledged/,
  /(\n0 wrong, [\s\S]*){3}/,
  /^$/,
];

describe('commands of the pages for operators', () => {
  let service: Carillon;
  let login: Login;
  let device: TestDevice;
  let shell: OperatorShell;
  const heldTaskIds: bigint[] = [];

  before(async () => {
    service = await startCarillon();
    await service.post('/admin/user/create', { user_id: USER_ID, name: 'ada', password: PASSWORD });
    await service.post('/admin/user/create', { user_id: ERASED_USER_ID, name: 'eve' });
    login = await service.logIn({ userId: USER_ID, name: 'ada', password: PASSWORD }, 'her-phone');
    const [api, gateway, worker] = [service.apis[0], service.gateways[0], service.workers[0]];
    assert.ok(api && gateway && worker);
    device = await connectDevice(gateway, login);
    await service.post('/device/tag', { add: ['beta'], push_token: login.push_token });
    const delivered = await service.notify({ user_id: [USER_ID] }, { title: 'Hello' });
    for (let i = 0; i < 3; i++) heldTaskIds.push(await hold());
    const lines = Object.entries(service.settings).map(([name, value]) => `${name}='${value}'\n`);
    shell = await openOperatorShell({
      variables: {
        ...service.settings,
        // With higher values, the doctor would warn on a small machine that its limits are too low.
        CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: '10',
        CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: '10',
        CARILLON_URL: api.apiUrl,
        CARILLON_APP_ID: service.appId,
        CARILLON_ADMIN_TOKEN: service.adminToken,
        HEALTH: worker.healthUrl,
        MQTT: gateway.mqttUrl,
        WEBSOCKET: gateway.webSocketUrl,
        USER_ID: `${USER_ID}`,
        PUSH_TOKEN: login.push_token,
        TASK: `${delivered}`,
      },
      files: { 'carillon.env': lines.join(''), 'notification.json': '{"message":{"title":"Doors open"}}' },
    });
  });
  after(async () => {
    await shell?.[Symbol.asyncDispose]();
    await device?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });

  const hold = () =>
    service.notify(
      { user_id: [USER_ID] },
      { title: 'Later', show_begin_time: Math.floor(Date.now() / 1_000) + HOUR_SECONDS },
    );

  /** Returns the variables that differ between blocks. */
  function variablesFor(commands: string): Record<string, string> {
    if (commands.includes('carillon_gateway_')) return { HEALTH: service.gateways[0]?.healthUrl as string };
    if (/user (export|erase)/.test(commands)) return { USER_ID: `${ERASED_USER_ID}` };
    if (/^carillon task cancel/.test(commands)) return { TASK: `${heldTaskIds[0]}` };
    return {};
  }

  function runs(page: string, printed: readonly RegExp[]): void {
    const blocks = commandsFor('operating', page);
    test(`${page} has as many blocks as this guide checks`, () => assert.equal(blocks.length, printed.length));
    for (const [i, commands] of blocks.entries())
      test(`${page}: ${commands.split(/ {2,}#|\n/)[0]}`, async () => {
        const { code, stdout, stderr } = await shell.type(commands, variablesFor(commands));
        assert.equal(code, 0, `${stdout}\n${stderr}`);
        assert.match(stdout, printed[i] as RegExp);
      });
  }

  runs('docs/reference/cli.md', cli);
  runs('docs/operate/monitoring.md', monitoring);
  runs('docs/operate/troubleshooting.md', troubleshooting);
  runs('docs/zh/operate/troubleshooting.md', troubleshooting);
  runs('docs/operate/troubleshooting-infrastructure.md', infrastructure);
  runs('docs/operate/incidents.md', incidents);
  runs('docs/operate/personal-data.md', personalData);

  test('the block that stops everything cancels the waiting tasks', async () => {
    const { data } = await service.post<{ list: { task_id: number; state: string }[] }>('/push/task/list', {});
    const states = data.list.filter(({ task_id }) => heldTaskIds.includes(BigInt(task_id))).map(({ state }) => state);
    assert.deepEqual(states, ['cancelled', 'cancelled', 'cancelled']);
  });

  test('an erased user is not found, and the access token of the device is rejected', async () => {
    const { code } = await service.tryPost('/admin/user/find', { user_id: USER_ID });
    assert.equal(code, 10_000);
    const { code: refused } = await service.tryPost('/device/list', {}, { token: login.token });
    assert.equal(refused, 10_008);
  });

  test('master keys are replaced as described in docs/operate/keys.md, and all sealed values can still be opened', async () => {
    const [make, add, swap, rotate, drop, ...more] = commandsFor('operating', 'docs/operate/keys.md') as string[];
    assert.deepEqual(more, []);
    const files = new Map(
      ['APPS', 'CALLBACKS', 'CREDENTIALS'].map((purpose) => [
        `CARILLON_MASTER_KEYS_${purpose}`,
        `secrets/master_keys_${purpose.toLowerCase()}`,
      ]),
    );
    const { settings } = service;
    const variables = Object.fromEntries([
      ...Object.entries(settings).filter(([name]) => !files.has(name)),
      ...[...files].map(([name, file]) => [`${name}_FILE`, file]),
    ]);
    await using keeper = await openOperatorShell({ variables });
    const type = async (commands = '') => {
      const { code, stdout, stderr } = await keeper.type(commands);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    const idsOf = (text: string) => [...parseKeyring('KEYS', text).keys.keys()];
    const [made] = idsOf(await type(make));
    assert.match(made as string, /^\d{8}-\d{6}$/);

    // The files have the permissions that secrets.sh sets.
    await type('mkdir secrets');
    for (const [name, file] of files) await type(`printf '%s' '${settings[name]}' >${file}; chmod 0444 ${file}`);
    const keysOf = async (commands = '') => {
      await type(commands);
      return Promise.all([...files.values()].map((file) => type(`cat ${file}`)));
    };
    const added = await keysOf(add);
    assert.equal(new Set(added.flatMap((text) => text.split(' '))).size, 6, 'each purpose has different keys');
    const newIds = added.map((text) => {
      const [first, second, ...others] = idsOf(text);
      assert.deepEqual([first, others], ['test', []]);
      assert.ok(second && second >= (made as string));
      return second;
    });
    const swapped = await keysOf(swap);
    assert.deepEqual(
      swapped.map(idsOf),
      newIds.map((id) => [id, 'test']),
    );
    const lines = ['apps', 'callbacks', 'credentials'].map(
      (purpose, i) => `All values for ${purpose} are sealed under ${newIds[i]}.`,
    );
    assert.equal(await type(rotate), [...lines, 'The other keys are no longer needed.'].join('\n'));
    assert.deepEqual(
      (await keysOf(drop)).map(idsOf),
      newIds.map((id) => [id]),
    );
    assert.equal(await type('stat -c %a secrets/master_keys_apps'), '444', 'other users can still read the file');
    assert.match(await type('carillon doctor --json'), /"The master keys open all [1-9]\d* sealed values/);
  });
});
