import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import service from '../../package.json' with { type: 'json' };
import { type BuiltPackages, packPackages, runIn } from './install.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** Set to 1 to install the real packages, 230 MB. `.ci/nightly` does it. */
const isReal = process.env.CARILLON_REACT_NATIVE === '1';
const REAL_PACKAGES = ['react-native@0.88.1', '@expo/config-plugins@58.0.2'];
/** Only its files are used, because its dependencies are Expo itself. */
const TEMPLATE = 'expo-template-bare-minimum@58.0.8';

const RIGHT = `
import { Carillon, pageOf, parseDeepLink, type ReceivedNotification } from '@carillon/react-native';

await Carillon.start({ apiUrl: 'https://a.example', gatewayUrl: 'mqtts://a.example', appId: 'shop' });
await Carillon.use({ token: 'ct_1', push_token: 'p' });
const stop: () => void = Carillon.onTap((tap: ReceivedNotification) => {
  const page = pageOf(tap);
  const order: string | undefined = page && parseDeepLink(page, 'com.example.app')?.extras.order;
  return order;
});
stop();
const permission: 'granted' | 'required' | 'denied' = await Carillon.requestNotificationPermission();
export { permission };
`;
const WRONG = `import { Carillon } from '@carillon/react-native'; void Carillon.start({ apiUrl: 1 });`;

const FLAGS = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];

const OPTIONS = {
  icon: './icon.png',
  repository: 'https://maven.example.com/releases',
  vendors: { fcm: true, huawei: { appId: '104512345' } },
};

/** Runs the config plugin twice, as two runs of `expo prebuild` do. */
const PREBUILD = `
const { compileModsAsync, withPlugins } = require('@expo/config-plugins');
(async () => {
  for (let run = 0; run < 2; run++) {
    const app = { name: 'shop', slug: 'shop', android: { package: 'com.helloworld' }, _internal: { projectRoot: __dirname } };
    const config = withPlugins(app, [['@carillon/react-native', ${JSON.stringify(OPTIONS)}]]);
    await compileModsAsync(config, { projectRoot: __dirname, platforms: ['android'] });
  }
})();
`;

describe('the React Native package', () => {
  const parts = new AsyncDisposableStack();
  let packages: BuiltPackages;
  let project: string;
  let installed: string;

  before(async () => {
    packages = parts.use(await packPackages());
    const specifiers = [packages.tarballs['react-native'], '--legacy-peer-deps', ...(isReal ? REAL_PACKAGES : [])];
    project = await packages.install(...specifiers);
    installed = join(project, 'node_modules/@carillon/react-native');
  });
  after(() => parts.disposeAsync());

  const compile = async (program: string) => {
    await writeFile(join(project, 'program.ts'), program);
    return runIn(project, process.execPath, [tsc, ...FLAGS, '--types', '', 'program.ts']);
  };

  test('has the version of the service, no dependencies, and only optional or expected peers', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    assert.deepEqual(
      [manifest.version, manifest.dependencies, manifest.peerDependenciesMeta],
      [service.version, undefined, { expo: { optional: true } }],
    );
  });

  test('has the files that the build of an Android app needs', async () => {
    const main = join(installed, 'android/src/main');
    const config = createRequire(import.meta.url)(join(installed, 'react-native.config.js'));
    const [, path] = /import ([\w.]+);/.exec(config.dependency.platforms.android.packageImportPath) ?? [];
    const source = await readFile(join(main, 'kotlin', `${path?.replaceAll('.', '/')}.kt`), 'utf8');
    assert.match(source, /^class CarillonPackage : BaseReactPackage/m);
    assert.match(await readFile(join(main, 'AndroidManifest.xml'), 'utf8'), /<manifest/);
    const gradle = await readFile(join(installed, 'android/build.gradle'), 'utf8');
    for (const [, file = ''] of gradle.matchAll(/(?:consumerProguardFiles |file\(')'?([\w./]+)'/g))
      assert.ok(await readFile(join(installed, 'android', file)), file);
  });

  test('has declarations that accept a correct program and reject a wrong one', async () => {
    assert.deepEqual(await compile(RIGHT), { code: 0, output: '' });
    assert.match((await compile(WRONG)).output, /program\.ts\(1,\d+\): error TS2322/);
  });

  test('publint finds nothing', async () => {
    const tool = join(root, 'node_modules/publint/src/cli.js');
    const { code, output } = await runIn(root, process.execPath, [tool, packages.tarballs['react-native'], '--strict']);
    assert.deepEqual([code, output.includes('All good!')], [0, true], output);
  });

  test('needs only the language and React Native: the bundle imports nothing else', async () => {
    const bundle = await readFile(join(installed, 'lib/index.js'), 'utf8');
    const imports = [...bundle.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name);
    assert.deepEqual(imports, ['react-native']);
    const found = /\bprocess\.\w|\bBuffer\.\w|new Text(De|En)coder|\brequire\(/.exec(bundle)?.[0];
    assert.equal(found, undefined);
  });

  test('exports a config plugin that Expo can load', async () => {
    const expo = join(project, 'node_modules/expo');
    await mkdir(expo, { recursive: true });
    const source = isReal ? `module.exports = require('@expo/config-plugins');` : 'module.exports = {};';
    await writeFile(join(expo, 'config-plugins.js'), source);
    const load = `console.log(typeof require('@carillon/react-native/app.plugin'))`;
    assert.deepEqual(await runIn(project, process.execPath, ['--eval', load]), { code: 0, output: 'function\n' });
  });

  test('the source compiles with the types of the real React Native', { skip: !isReal }, async () => {
    const copy = await mkdtemp(join(project, 'source-'));
    await cp(join(root, 'sdk/src'), join(copy, 'sdk/src'), { recursive: true });
    await cp(join(root, 'sdks/react-native/src'), join(copy, 'sdks/react-native/src'), { recursive: true });
    const flags = [...FLAGS, '--lib', 'es2022,dom', '--allowImportingTsExtensions', '--skipLibCheck', '--types', ''];
    const entry = join(copy, 'sdks/react-native/src/index.ts');
    assert.deepEqual(await runIn(project, process.execPath, [tsc, ...flags, entry]), { code: 0, output: '' });
    await rm(copy, { recursive: true });
  });

  test('the config plugin changes the real template of Expo, once', { skip: !isReal }, async () => {
    const packed = await runIn(project, 'npm', ['pack', TEMPLATE, '--json'], process.env);
    assert.equal(packed.code, 0, packed.output);
    const archive = /"filename": "([^"]+)"/.exec(packed.output)?.[1] ?? '';
    const unpacked = await runIn(project, 'tar', ['--strip-components=1', '-xzf', archive, 'package/android']);
    assert.equal(unpacked.code, 0, unpacked.output);
    const android = join(project, 'android');
    await writeFile(join(project, 'icon.png'), 'PNG');
    await writeFile(join(project, 'prebuild.cjs'), PREBUILD);
    assert.deepEqual(await runIn(project, process.execPath, ['prebuild.cjs']), { code: 0, output: '' });
    const expected: readonly [string, string][] = [
      ['build.gradle', `maven { url 'https://maven.example.com/releases' }`],
      ['app/build.gradle', `implementation("dev.carillon:carillon-android-huawei:${service.version}")`],
      ['app/src/main/AndroidManifest.xml', 'android:value="@string/carillon_huawei_app_id"'],
      [
        'app/src/main/AndroidManifest.xml',
        'android:name="dev.carillon.small_icon" android:resource="@drawable/carillon_notification"',
      ],
      [
        'app/src/main/AndroidManifest.xml',
        'android:name="com.google.firebase.messaging.default_notification_icon" android:resource="@drawable/carillon_notification"',
      ],
      ['app/src/main/java/com/helloworld/MainApplication.kt', 'CarillonStartup.resume(this)'],
      ['app/src/main/java/com/helloworld/MainActivity.kt', 'setIntent(intent)'],
      ['app/src/main/res/values/carillon.xml', '104512345'],
      ['app/src/main/res/drawable/carillon_notification.png', 'PNG'],
    ];
    for (const [file, text] of expected)
      assert.equal((await readFile(join(android, file), 'utf8')).split(text).length, 2, `${file}: ${text}`);
  });
});
