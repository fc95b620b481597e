import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import service from '../../package.json' with { type: 'json' };
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { PackageName } from '../../scripts/packages/build.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { type BuiltPackages, packPackages, runIn } from './install.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names: readonly PackageName[] = ['sdk', 'cli', 'simulators'];

/** A backend that sends a notification with the SDK, and prints the ID of the task. */
const BACKEND = `
import { Carillon } from '@carillon/sdk';

const { CARILLON_URL: url = '', CARILLON_APP_ID: appId = '', CARILLON_ADMIN_TOKEN: token } = process.env;
const carillon = new Carillon({ url, appId, token });
const { task_id } = await carillon.push.notify({ audience: 'all', message: { title: 'Sent with the SDK' } });
console.log(task_id);
`;

/** A test of a backend that starts a simulator, and prints the names of its URLs. */
const SIMULATOR = `
import { startSimulator, type StartedSimulator } from '@carillon/simulators';

const xiaomi: StartedSimulator = await startSimulator('xiaomi', { slowMs: 10 });
const response = await fetch(xiaomi.urls['control_url'] + '/arrived');
console.log(response.status, xiaomi.caPem.split('\\r\\n')[0], Object.keys(xiaomi.urls).join());
await xiaomi.stop();
`;

describe('the packages, installed in an empty directory', () => {
  const parts = new AsyncDisposableStack();
  let packages: BuiltPackages;
  let carillon: Carillon;
  let device: TestDevice;
  let project: string;
  let environment: Readonly<Record<string, string>>;

  before(async () => {
    packages = parts.use(await packPackages());
    [carillon, project] = await Promise.all([
      startCarillon().then((started) => parts.use(started)),
      packages.install(...names.map((name) => packages.tarballs[name])),
    ]);
    const login = await carillon.logIn(await carillon.createUser('ada'), 'a-phone');
    device = parts.use(await connectDevice(carillon.gateways[0] as RoleProcess, login));
    environment = {
      CARILLON_URL: (carillon.apis[0] as RoleProcess).apiUrl,
      CARILLON_APP_ID: carillon.appId,
      CARILLON_ADMIN_TOKEN: carillon.adminToken,
    };
  });
  after(() => parts.disposeAsync());

  const runCommand = (name: string, args: readonly string[], env = {}) =>
    runIn(project, join(project, 'node_modules/.bin', name), args, env);
  const runProgram = async (text: string, env = {}) => {
    await writeFile(join(project, 'program.ts'), text);
    return runIn(project, process.execPath, ['program.ts'], env);
  };
  const isReceived = (title: string) =>
    eventually(() => assert.ok(device.received.some((notification) => notification.title === title)));

  for (const name of names) {
    test(`publint and are-the-types-wrong find nothing in ${name}`, async () => {
      const tool = (file: string, ...flags: readonly string[]) =>
        runIn(root, process.execPath, [join(root, 'node_modules', file), packages.tarballs[name], ...flags]);
      const publint = await tool('publint/src/cli.js', '--strict');
      assert.deepEqual([publint.code, publint.output.includes('All good!')], [0, true], publint.output);
      // A package without types passes too, so the output is checked: only the command line has none.
      const types = await tool('@arethetypeswrong/cli/dist/index.js', '--profile', 'esm-only', '--no-emoji');
      assert.equal(types.code, 0, types.output);
      assert.equal(types.output.includes('does not contain types'), name === 'cli', types.output);
    });

    test(`${name} has the version, licence and repository of the service, and only exact versions`, async () => {
      const directory = join(project, 'node_modules/@carillon', name);
      const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
      const { version, license, repository, dependencies = {} } = manifest;
      assert.deepEqual(
        { version, license, repository },
        { version: service.version, license: 'MIT', repository: { ...service.repository, directory: name } },
      );
      assert.match(await readFile(join(directory, 'LICENSE'), 'utf8'), /^MIT License/);
      const versions: Readonly<Record<string, string>> = service.dependencies;
      for (const [dependency, exact] of Object.entries(dependencies)) assert.equal(exact, versions[dependency]);
    });

    test(`every module of ${name} has a source map with the source text`, async () => {
      const directory = join(project, 'node_modules/@carillon', name);
      const files = globSync('**/*.js', { cwd: directory });
      const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
      // The bundler writes no map for a module that consists of imports and exports.
      const modules = files.filter((_, index) => !/^((import|export) .*;\n)*$/.test(texts[index] as string));
      assert.ok(modules.length > 10, modules.join());
      for (const module of modules) {
        const map = JSON.parse(await readFile(join(directory, `${module}.map`), 'utf8'));
        assert.equal(map.sourcesContent?.length, map.sources.length, module);
      }
    });
  }

  test('the SDK sends a notification', async () => {
    const { code, output } = await runProgram(BACKEND, environment);
    assert.equal(code, 0, output);
    assert.match(output, /^\d+n\n$/);
    await isReceived('Sent with the SDK');
  });

  test('the command sends a notification', async () => {
    const args = ['push', 'send', '--all', '--yes', '--title', 'Sent with the command', '--json'];
    const { code, output } = await runCommand('carillon', args, environment);
    assert.equal(code, 0, output);
    await isReceived('Sent with the command');
  });

  test('the command prints its version and its help', async () => {
    assert.deepEqual(await runCommand('carillon', ['--version']), { code: 0, output: `${service.version}\n` });
    assert.match((await runCommand('carillon', ['--help'])).output, /^Usage: carillon <command> \[options\]\n/);
    assert.match((await runCommand('carillon', ['push', 'send', '--help'])).output, /--title/);
  });

  test('the command checks the databases and their migrations on a server', async () => {
    const { output } = await runCommand('carillon', ['doctor', '--json'], carillon.settings);
    const findings = JSON.parse(output) as { subject: string; state: string }[];
    const wrong = findings.filter(({ state }) => state === 'wrong');
    assert.deepEqual(wrong, [], output);
    assert.match(output, /migrations/);
  });

  for (const [command, ...args] of [['carillon', 'simulate'], ['carillon-simulators']] as const)
    test(`${[command, ...args].join(' ')} starts a simulator that answers`, async () => {
      const flags = ['--json', '--only', 'xiaomi'];
      await using simulators = parts.use(
        startCommand(join(project, 'node_modules/.bin', command), [...args, ...flags]),
      );
      const [line] = (await Promise.race([
        once(createInterface({ input: simulators.child.stdout }), 'line'),
        simulators.ended.then(() => Promise.reject(new Error('The command exited.'))),
      ])) as [string];
      const { xiaomi } = JSON.parse(line) as { xiaomi: { control_url: string } };
      assert.equal((await fetch(`${xiaomi.control_url}/arrived`)).status, 200);
    });

  test('a program can start a simulator, with types, like the example in the README', async () => {
    const readme = await readFile(join(root, 'simulators/README.md'), 'utf8');
    const [, example = ''] = /^```ts\n([\s\S]+?)^```$/m.exec(readme) ?? [];
    assert.match((await runProgram(example)).output, /send_url[\s\S]+BEGIN CERTIFICATE/);
    const { code, output } = await runProgram(SIMULATOR);
    assert.deepEqual({ code, output }, { code: 0, output: '200 -----BEGIN CERTIFICATE----- send_url,control_url\n' });
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    for (const module of [['node16'], ['esnext', '--moduleResolution', 'bundler']]) {
      const flags = ['--strict', '--noEmit', '--target', 'es2024', ...types, '--module', ...module];
      assert.deepEqual(await runIn(project, process.execPath, [tsc, ...flags, 'program.ts']), { code: 0, output: '' });
    }
  });
});

/** Starts a command that runs until it is stopped. */
function startCommand(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  return {
    child,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
