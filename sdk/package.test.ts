import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startStubServer, successResponse } from './support/stub-server.ts';

const sdk = fileURLToPath(new URL('.', import.meta.url));
const tsc = join(sdk, '../node_modules/typescript/bin/tsc');
const RUN_MS_MAX = 60_000;

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs node and returns its exit code and output. */
function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: RUN_MS_MAX, env: { PATH: process.env.PATH, ...env } };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

/** A program that uses the installed package. */
const RIGHT = `
import { Carillon, CarillonError, type Device, operations } from '@carillon/sdk';

const carillon = new Carillon({ url: process.env.URL ?? '', appId: 'bells', token: 'ca_1' });
const { task_id } = await carillon.push.notify({ audience: { user_id: [42, 43n] }, message: { title: 'Hello' } });
const [statistics] = await carillon.push.task.detail({ list: [task_id] });
const received: bigint = statistics?.nativepush_received ?? 0n;
const { list, next } = await carillon.as({ groupId: 7 }).admin.device.find({ user_id: 9007199254740993n });
const devices: readonly Device[] = list;
const more: bigint | null = next;
const fields: readonly string[] = operations['/push/notify'].fields.map((field) => field.name);
const codeOf = (error: unknown): number | undefined => (error instanceof CarillonError ? error.code : undefined);
console.log(String([task_id, received, devices.length, more, fields, codeOf(null)]));
`;

/** A program that uses the installed package and `mqtt`. */
const DEVICE = `
import { Carillon } from '@carillon/sdk';
import { CarillonDevice, type DeviceState, type ReceivedNotification } from '@carillon/sdk/device';

const carillon = new Carillon({ url: 'http://127.0.0.1:1', appId: 'bells' });
const onNotification = async ({ message_id, title }: ReceivedNotification): Promise<void> => {
  const id: bigint = message_id;
  console.log(id, title);
};
const device = await CarillonDevice.open({ carillon, gateway: ['mqtt://127.0.0.1:1'], onNotification });
device.on('offline', ({ reason, retryMs }) => {
  const pause: number | undefined = retryMs;
  console.log(reason.includes('ECONNREFUSED'), pause !== undefined && pause <= 1000);
  void device.disconnect();
});
await device.use({ token: 'ct_1', push_token: 'p', device_guid: 'g' });
const state: DeviceState = device.state;
console.log(state, device.deviceGuid);
device.connect();
`;

const WRONG = {
  'a task ID given as a string': `await carillon.push.task.detail({ list: ['115258093993985'] });`,
  'a misspelt field': `await carillon.push.notify({ audience: 'all', message: { titel: 'Hello' } });`,
  'a string that is not one of the choices': `await carillon.push.notify({ audience: 'everyone', message: { title: 'Hello' } });`,
  'a missing field': `await carillon.token.id({ user_id: 42 });`,
  'an int64 of a response assigned to a number': `const id: number = (await carillon.admin.user.create({})).user_id;`,
  'an operation that does not exist': `await carillon.push.undo({});`,
  'a device without a notification handler': `void CarillonDevice.open({ carillon, gateway: 'ws://localhost' });`,
  'an event that does not exist': `void device.on('notified', () => undefined);`,
};

describe('the package', () => {
  let home: string;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'carillon-sdk-'));
    const installed = join(home, 'node_modules/@carillon/sdk');
    await mkdir(installed, { recursive: true });
    await copyFile(join(sdk, 'package.json'), join(installed, 'package.json'));
    await writeFile(join(home, 'package.json'), '{ "type": "module" }');
    const built = await run([tsc, '--project', join(sdk, 'tsconfig.json'), '--outDir', join(installed, 'dist')], sdk);
    assert.deepEqual(built, { code: 0, output: '' });
  });

  after(() => rm(home, { recursive: true }));

  /** Type-checks programs strictly, including our declarations. Returns the compiler errors. */
  async function check(programs: readonly string[]): Promise<string[]> {
    const files = programs.map((_, index) => `program-${index}.ts`);
    await Promise.all(files.map((file, index) => writeFile(join(home, file), programs[index] as string)));
    const flags = ['--strict', '--noEmit', '--target', 'es2024', '--module', 'nodenext', '--types', ''];
    const { output } = await run([tsc, ...flags, ...files], home);
    return output.split('\n').filter((line) => line !== '');
  }

  test('has declarations that accept a correct program and the examples in the README', async () => {
    const readme = await readFile(join(sdk, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map(([, example]) => example as string);
    assert.ok(examples.length >= 3);
    const declared = 'declare const process: { env: Record<string, string | undefined> };\n';
    assert.deepEqual(await check([RIGHT, DEVICE, ...examples].map((program) => declared + program)), []);
  });

  test('has declarations that reject incorrect programs', async () => {
    const beginning = [
      `import { Carillon } from '@carillon/sdk'; import { CarillonDevice } from '@carillon/sdk/device';`,
      'declare const carillon: Carillon; declare const device: CarillonDevice;\n',
    ].join('\n');
    const complaints = await check(Object.values(WRONG).map((line) => beginning + line));
    for (const [index, mistake] of Object.keys(WRONG).entries()) {
      const programErrors = complaints.filter((line) => line.startsWith(`program-${index}.ts(3,`));
      assert.equal(programErrors.length, 1, `${mistake}: ${complaints.join('\n')}`);
    }
  });

  test('runs in plain node', async () => {
    await using peer = await startStubServer(({ path }) => {
      if (path === '/push/notify') return successResponse('{"task_id":9223372036854775807}');
      if (path === '/push/task/detail')
        return successResponse('[{"task_id":9223372036854775807,"nativepush_received":3}]');
      return successResponse('{"list":[],"next":null}');
    });
    await writeFile(join(home, 'program.ts'), RIGHT);
    const { code, output } = await run(['program.ts'], home, { URL: peer.url });
    assert.equal(output, '9223372036854775807,3,0,,audience,setting,message,\n');
    assert.equal(code, 0);
    assert.deepEqual(
      peer.requests.map(({ body }) => body),
      [
        '{"audience":{"user_id":[42,43]},"message":{"title":"Hello"}}',
        '{"list":[9223372036854775807]}',
        '{"user_id":9007199254740993}',
      ],
    );
  });

  test('has a device that runs in plain node if mqtt is installed', async () => {
    await writeFile(join(home, 'device.ts'), DEVICE);
    const without = await run(['device.ts'], home);
    assert.match(without.output, /Cannot find package 'mqtt'/);
    await symlink(join(sdk, '../node_modules/mqtt'), join(home, 'node_modules/mqtt'));
    assert.deepEqual(await run(['device.ts'], home), { code: 0, output: 'offline g\ntrue true\n' });
  });

  test('has mqtt as its only dependency, an optional peer, and the same version as the service', async () => {
    const manifest = async (path: string) =>
      JSON.parse(await readFile(join(sdk, path), 'utf8')) as Record<string, unknown>;
    const [ours, service] = [await manifest('package.json'), await manifest('../package.json')];
    assert.equal(ours.version, service.version);
    assert.deepEqual(
      Object.keys(ours).filter((key) => /dependencies/i.test(key)),
      ['peerDependencies', 'peerDependenciesMeta'],
    );
    const { mqtt } = service.devDependencies as { mqtt: string };
    assert.deepEqual(ours.peerDependencies, { mqtt: `^${mqtt}` });
    assert.deepEqual(ours.peerDependenciesMeta, { mqtt: { optional: true } });
  });
});
