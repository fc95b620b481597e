import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import service from '../../package.json' with { type: 'json' };
import { startStubServer, successResponse } from '../../sdk/support/stub-server.ts';
import { type BuiltPackages, packPackages, runIn } from './install.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

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

/** Flags of the compiler for the two ways in which projects resolve modules. */
const RESOLUTIONS = {
  node16: ['--module', 'node16', '--moduleResolution', 'node16'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
};

describe('the installed SDK', () => {
  let packages: BuiltPackages;
  let home: string;

  before(async () => {
    packages = await packPackages();
    home = await packages.install(packages.tarballs.sdk);
  });
  after(() => packages[Symbol.asyncDispose]());

  const run = (args: readonly string[], env = {}) => runIn(home, process.execPath, args, env);

  /** Type-checks programs strictly, including our declarations. Returns the compiler errors. */
  async function check(programs: readonly string[], resolution: readonly string[]): Promise<string[]> {
    const files = programs.map((_, index) => `program-${index}.ts`);
    await Promise.all(files.map((file, index) => writeFile(join(home, file), programs[index] as string)));
    const flags = ['--strict', '--noEmit', '--target', 'es2024', '--types', ''];
    const { output } = await run([tsc, ...flags, ...resolution, ...files]);
    return output.split('\n').filter((line) => line !== '');
  }

  for (const [resolution, flags] of Object.entries(RESOLUTIONS))
    test(`has declarations that accept a correct program and the examples in the README, with ${resolution}`, async () => {
      const readme = await readFile(join(root, 'sdk/README.md'), 'utf8');
      const examples = [...readme.matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map(([, example]) => example as string);
      assert.ok(examples.length >= 3);
      const declared = 'declare const process: { env: Record<string, string | undefined> };\n';
      assert.deepEqual(
        await check(
          [RIGHT, DEVICE, ...examples].map((program) => declared + program),
          flags,
        ),
        [],
      );
    });

  test('has declarations that reject incorrect programs', async () => {
    const beginning = [
      `import { Carillon } from '@carillon/sdk'; import { CarillonDevice } from '@carillon/sdk/device';`,
      'declare const carillon: Carillon; declare const device: CarillonDevice;\n',
    ].join('\n');
    const complaints = await check(
      Object.values(WRONG).map((line) => beginning + line),
      RESOLUTIONS.node16,
    );
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
    const { code, output } = await run(['program.ts'], { URL: peer.url });
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
    const without = await run(['device.ts']);
    assert.match(without.output, /Cannot find package 'mqtt'/);
    await symlink(join(root, 'node_modules/mqtt'), join(home, 'node_modules/mqtt'));
    assert.deepEqual(await run(['device.ts']), { code: 0, output: 'offline g\ntrue true\n' });
  });

  test('can be loaded with require', async () => {
    await writeFile(join(home, 'program.cjs'), `console.log(typeof require('@carillon/sdk').Carillon);`);
    assert.deepEqual(await run(['program.cjs']), { code: 0, output: 'function\n' });
  });

  test('has mqtt as its only dependency, an optional peer', async () => {
    const manifest = JSON.parse(await readFile(join(home, 'node_modules/@carillon/sdk/package.json'), 'utf8'));
    const fields = Object.keys(manifest).filter((key) => /dependencies/i.test(key));
    assert.deepEqual(fields, ['peerDependencies', 'peerDependenciesMeta']);
    assert.deepEqual(manifest.peerDependencies, { mqtt: `^${service.devDependencies.mqtt}` });
    assert.deepEqual(manifest.peerDependenciesMeta, { mqtt: { optional: true } });
  });
});
