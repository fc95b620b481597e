import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { startVendorSimulators, type VendorSimulators } from '../support/vendor-simulators.ts';
import { commandsFor } from './commands.ts';
import { runCommands } from './run-commands.ts';

const PAGE = 'docs/reference/counters.md';
const DEVICES = 14;
const CONNECTED = 4;

/** A notification that Apple's simulator received, with its reference. */
interface Shown {
  readonly payload: { readonly reference: string };
}

describe('docs/reference/counters.md', () => {
  let vendors: VendorSimulators;
  let carillon: Carillon;
  let taskId: bigint;
  let silent: Login;
  const parts = new AsyncDisposableStack();
  const gateway = () => carillon.gateways[0] as RoleProcess;

  before(async () => {
    vendors = parts.use(await startVendorSimulators());
    const settings = { ...vendors.settings, CARILLON_ACKNOWLEDGE_SECONDS: '1' };
    carillon = parts.use(await startCarillon({ settings }));
    for (const vendor of ['apns', 'fcm', 'huawei', 'xiaomi'] as const) {
      const { certificate } = vendors.factsOf(vendor);
      const body = { provider: providerByVendor[vendor], ...certificate, name: vendor, check: false };
      await carillon.post('/admin/certificate/save', body);
    }
    const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', { provider: 2 });
    await vendors.post('huawei', '/receipts', { url: `${carillon.apis[0]?.apiUrl}${data.path}` });
  });
  after(() => parts.disposeAsync());

  let guids = 0;
  async function phone(tokens: Partial<Record<VendorName, string>> = {}): Promise<Login> {
    const { storage, appId } = carillon;
    const userId = await addUser(storage.home, appId);
    const login = await addDevice(storage, { appId, userId, deviceGuid: `phone-${++guids}` });
    for (const [vendor, token] of Object.entries(tokens)) {
      const provider = providerByVendor[vendor as VendorName];
      await carillon.post('/device/bind', { provider, token, push_token: login.push_token });
    }
    return login;
  }

  /** Creates the devices of the page's first table. Returns the offline device that connects later. */
  async function gather(): Promise<Login> {
    for (let i = 0; i < 3; i++) parts.use(await connectDevice(gateway(), await phone()));
    silent = await phone({ apns: 'live-silent' });
    parts.use(await connectSilentDevice(gateway(), silent));
    for (const apns of ['live-1', 'live-2', 'dead-1']) await phone({ apns });
    for (const huawei of ['live-1', 'live-2', 'muted-1']) await phone({ huawei });
    await phone({ xiaomi: 'live-1' });
    await phone({ xiaomi: 'dead-1', fcm: 'live-1' });
    const [away, long] = [await phone(), await phone()];
    for (const db of carillon.storage.shards.all)
      await db.query('update devices set seen_on = current_date - 40 where push_token = $1', [long.push_token]);
    assert.equal(guids, DEVICES);
    await eventually(async () => {
      const rows = carillon.storage.shards.all.map((db) => db.query('select from sessions where online'));
      assert.equal((await Promise.all(rows)).flat().length, CONNECTED);
    });
    return away;
  }

  /** Reads the tables of counts in the worked example, in the format that `carillon.counters` returns. */
  function countsOfPage(): Record<string, number[]>[] {
    const [, example = ''] = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8').split(
      '\n## Worked example\n',
    );
    const tables = example.split('| Channel | target | sent | received | Reason |').slice(1);
    return tables.map((table) =>
      Object.fromEntries(
        [...table.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|/gm)].map(([, channel, ...counts]) => [
          channel as string,
          counts.map(Number),
        ]),
      ),
    );
  }

  test('the worked example results in the documented numbers', async () => {
    const [first, then] = countsOfPage() as [Record<string, number[]>, Record<string, number[]>];
    const away = await gather();
    taskId = await carillon.notify('all', { title: 'Ding', body: 'dong' });
    const shown = await eventually(async () => {
      const { arrived } = await vendors.get<{ arrived: Shown[] }>('apns', '/arrived?token=live-silent');
      return arrived[0] ?? assert.fail('APNs was not called for the silent phone');
    });
    const report = { list: [shown.payload.reference] };
    for (let times = 0; times < 2; times++) await carillon.post('/device/receipt', report, { token: silent.token });
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), first));

    parts.use(await connectDevice(gateway(), away));
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { ...first, ...then }));
  });

  test('the commands return the documented results', async () => {
    const outputs = await runCommands(commandsFor('counters', PAGE), {
      CARILLON_URL: carillon.apis[0]?.apiUrl as string,
      CARILLON_APP_ID: carillon.appId,
      CARILLON_ADMIN_TOKEN: carillon.adminToken,
      TASK_ID: taskId.toString(),
      PUSH_TOKEN: silent.push_token,
    });
    const answers = outputs.map((output) => (JSON.parse(output) as { data: unknown }).data);
    const [detail, trace, validate, channelList] = answers as [
      [{ nativepush_target: number }],
      { list: [{ attempts: { said: string }[] }] },
      { devices: number; unreachable: number },
      { provider: number; open: boolean }[],
    ];
    assert.equal(detail[0].nativepush_target, 6);
    assert.deepEqual(
      trace.list[0].attempts.map(({ said }) => said),
      ['written', 'silent', 'accepted'],
    );
    assert.deepEqual([validate.devices, validate.unreachable], [DEVICES, 1]);
    assert.ok(channelList.some(({ provider, open }) => provider === providerByVendor.huawei && open));
  });
});
