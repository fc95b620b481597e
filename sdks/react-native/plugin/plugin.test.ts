import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  addNewIntent,
  addRepositories,
  addStartup,
  addVendorModules,
  keepLineEnds,
  keyResources,
  type ParsedManifest,
  setMetadata,
} from './android-files.ts';
import { checkOptions, type PluginOptions } from './options.ts';
import { createPlugin } from './with-carillon.ts';

const PROJECT_GRADLE = `buildscript {
  repositories { google() }
}

apply plugin: "expo-root-project"
`;

const APP_GRADLE = `android {}

dependencies {
    implementation("com.facebook.react:react-android")
}`;

const APPLICATION = `class MainApplication : Application(), ReactApplication {
  override fun onCreate() {
    super.onCreate()
    loadReactNative(this)
  }
}
`;

const ACTIVITY = `package com.example.shop

class MainActivity : ReactActivity() {
  override fun onCreate(savedInstanceState: Bundle?) {
    super.onCreate(null)
  }
}
`;

const FCM_ICON = 'com.google.firebase.messaging.default_notification_icon';

const repository = 'https://maven.example.com/releases';

const options: PluginOptions = {
  repository,
  icon: 'assets/notification.png',
  vendors: { fcm: true, huawei: { appId: '104512345' }, oppo: { appKey: 'a b&c', appSecret: `it's "x"` } },
};

describe('the build files of an Android project', () => {
  test('contain the repositories of the artifacts and of the chosen vendors, once', () => {
    const changed = addRepositories(PROJECT_GRADLE, options);
    assert.equal(
      changed,
      `${PROJECT_GRADLE}// @generated begin @carillon/react-native
allprojects {
  repositories {
    maven { url 'https://maven.example.com/releases' }
    maven { url 'https://developer.huawei.com/repo/' }
  }
}
// @generated end @carillon/react-native
`,
    );
    assert.equal(addRepositories(changed, options), changed);
  });

  test('contain the modules of the chosen vendors, and none of earlier options', () => {
    const changed = addVendorModules(APP_GRADLE, options, '0.1.0');
    const modules = [...changed.matchAll(/implementation\("dev\.carillon:([^"]+)"\)/g)].map(([, module]) => module);
    assert.deepEqual(
      modules,
      ['fcm', 'huawei', 'oppo'].map((vendor) => `carillon-android-${vendor}:0.1.0`),
    );
    assert.ok(changed.startsWith(`${APP_GRADLE}\n// @generated begin`));
    assert.equal(addVendorModules(changed, options, '0.1.0'), changed);
    assert.match(
      addVendorModules(changed, { repository, vendors: { vivo: true } }, '0.1.0'),
      /\{\n.*-vivo:0\.1\.0"\)\n\}/,
    );
    assert.equal(addVendorModules(changed, { repository }, '0.1.0'), `${APP_GRADLE}\n`);
  });

  test('start the SDK when the process starts, once', () => {
    const changed = addStartup(APPLICATION);
    assert.match(
      changed,
      /super\.onCreate\(\)\n.*begin.*\n {4}dev\.carillon\.reactnative\.CarillonStartup\.resume\(this\)\n.*end.*\n {4}load/,
    );
    assert.equal(addStartup(changed), changed);
    assert.throws(() => addStartup('class MainApplication'), /MainApplication has no super\.onCreate/);
  });
});

describe('the activity of the app', () => {
  const unexpected = (text: string) => assert.fail(text);

  test('keeps each new intent, once', () => {
    const changed = addNewIntent(ACTIVITY, unexpected);
    assert.ok(
      changed.includes(`class MainActivity : ReactActivity() {
// @generated begin @carillon/react-native
  override fun onNewIntent(intent: android.content.Intent) {
    setIntent(intent)
    super.onNewIntent(intent)
  }
// @generated end @carillon/react-native
  override fun onCreate`),
      changed,
    );
    assert.equal(addNewIntent(changed, unexpected), changed);
  });

  test('keeps its own function for new intents, with a warning if it does not call setIntent', () => {
    const withFunction = (body: string) =>
      ACTIVITY.replace('() {\n', `() {\n  override fun onNewIntent(intent: Intent) {\n    ${body}\n  }\n`);
    const right = withFunction('setIntent(intent)');
    assert.equal(addNewIntent(right, unexpected), right);
    const wrong = withFunction('log(intent)');
    const warnings: string[] = [];
    assert.equal(
      addNewIntent(wrong, (text) => warnings.push(text)),
      wrong,
    );
    assert.match(warnings.join(), /Call setIntent\(intent\) in onNewIntent/);
  });

  test('must be written in Kotlin', () => {
    assert.throws(
      () => addNewIntent('public class MainActivity extends ReactActivity {\n}\n'),
      /not a class in Kotlin/,
    );
  });
});

test('files with the line ends of Windows are changed once, and keep them', () => {
  const edits: readonly [string, (text: string) => string][] = [
    [PROJECT_GRADLE, (text) => addRepositories(text, options)],
    [APP_GRADLE, (text) => addVendorModules(text, options, '0.1.0')],
    [APPLICATION, addStartup],
    [ACTIVITY, (text) => addNewIntent(text)],
  ];
  for (const [text, edit] of edits) {
    const changed = keepLineEnds(text.replaceAll('\n', '\r\n'), edit);
    assert.equal(changed, edit(text).replaceAll('\n', '\r\n'));
    assert.equal(keepLineEnds(changed, edit), changed);
  }
});

describe('the keys of vendors', () => {
  test('are string resources, so that Android does not change keys of digits', () => {
    assert.equal(
      keyResources(options),
      `<?xml version="1.0" encoding="utf-8"?>
<resources>
  <string name="carillon_huawei_app_id" translatable="false">"104512345"</string>
  <string name="carillon_oppo_app_key" translatable="false">"a b&amp;c"</string>
  <string name="carillon_oppo_app_secret" translatable="false">"it's \\"x\\""</string>
</resources>
`,
    );
  });

  test('are named in the manifest, which keeps the metadata of other libraries', () => {
    const other = { $: { 'android:name': 'com.example.other', 'android:value': '1' } };
    const parsed: ParsedManifest = { manifest: { application: [{ 'meta-data': [other] }] } };
    setMetadata(parsed, options);
    setMetadata(parsed, options);
    assert.deepEqual(parsed.manifest.application?.[0]?.['meta-data'], [
      other,
      { $: { 'android:name': 'dev.carillon.huawei.app_id', 'android:value': '@string/carillon_huawei_app_id' } },
      { $: { 'android:name': 'dev.carillon.oppo.app_key', 'android:value': '@string/carillon_oppo_app_key' } },
      { $: { 'android:name': 'dev.carillon.oppo.app_secret', 'android:value': '@string/carillon_oppo_app_secret' } },
      { $: { 'android:name': 'dev.carillon.small_icon', 'android:resource': '@drawable/carillon_notification' } },
      { $: { 'android:name': FCM_ICON, 'android:resource': '@drawable/carillon_notification' } },
    ]);
    setMetadata(parsed, { repository });
    assert.deepEqual(parsed.manifest.application?.[0]?.['meta-data'], [other]);
    assert.throws(() => setMetadata({ manifest: {} }, { repository }), /no application/);
  });
});

test("the keys of Honor and vivo are the metadata that these vendors' SDKs read", () => {
  const vendors = { honor: { appId: '104400151' }, vivo: { appId: '100001', appKey: '0a1b-2c' } };
  const old = { $: { 'android:name': 'com.vivo.push.app_id', 'android:value': '1' } };
  const own = { $: { 'android:name': 'com.hihonor.push.app_id', 'android:value': '2' } };
  const parsed: ParsedManifest = { manifest: { application: [{ 'meta-data': [old, own] }] } };
  for (let run = 0; run < 2; run++) setMetadata(parsed, { repository, vendors });
  assert.deepEqual(parsed.manifest.application?.[0]?.['meta-data'], [
    { $: { 'android:name': 'com.hihonor.push.app_id', 'android:value': '104400151' } },
    { $: { 'android:name': 'com.vivo.push.app_id', 'android:value': '100001' } },
    { $: { 'android:name': 'com.vivo.push.api_key', 'android:value': '0a1b-2c' } },
  ]);
  assert.doesNotMatch(keyResources({ repository, vendors }), /<string/);
  const others: ParsedManifest = { manifest: { application: [{ 'meta-data': [own] }] } };
  setMetadata(others, { repository, vendors: { honor: true } });
  assert.deepEqual(others.manifest.application?.[0]?.['meta-data'], [own], 'the app has added it itself');
});

test('the icon for FCM is set only with the module of FCM, and not instead of that of another plugin', () => {
  const { icon } = options;
  const other = { $: { 'android:name': FCM_ICON, 'android:resource': '@drawable/notification_icon' } };
  const metadataWith = (given: PluginOptions, before: (typeof other)[]) => {
    const parsed: ParsedManifest = { manifest: { application: [{ 'meta-data': before }] } };
    setMetadata(parsed, given);
    return parsed.manifest.application?.[0]?.['meta-data']?.filter(({ $ }) => $['android:name'] === FCM_ICON);
  };
  assert.equal(metadataWith({ repository, icon, vendors: { fcm: true } }, [])?.length, 1);
  assert.deepEqual(metadataWith({ repository, icon, vendors: { vivo: true } }, []), []);
  assert.deepEqual(metadataWith({ repository, vendors: { fcm: true } }, []), []);
  assert.deepEqual(metadataWith({ repository, icon, vendors: { fcm: true } }, [other]), [other]);
});

describe('the options of the config plugin', () => {
  const wrong: readonly [unknown, RegExp][] = [
    ['fcm', /must be an object/],
    [undefined, /repository is missing\. .*such as file:\/\/\/path\/to\/carillon\/sdks\/android\/target\/publish/],
    [{ vendors: { fcm: true } }, /repository is missing/],
    [{ repository: '' }, /repository must be a URL/],
    [{ vendor: {} }, /vendor is not a known option\. Known: vendors/],
    [{ repository, vendors: { google: true } }, /google is not a known vendor/],
    [{ repository, vendors: { fcm: 'yes' } }, /vendors\.fcm must be true/],
    [{ repository, vendors: { oppo: { key: 'x' } } }, /key is not a known key of vendors\.oppo/],
    [
      { repository, vendors: { huawei: { appId: '1', appSecret: 's' } } },
      /appSecret is not a known key of vendors\.huawei/,
    ],
    [{ repository, vendors: { oppo: { appKey: 'k' } } }, /vendors\.oppo must be true, or must also contain appSecret/],
    [
      { repository, vendors: { huawei: { appId: 104512345 } } },
      /vendors\.huawei\.appId must be a string that is not empty/,
    ],
    [{ repository: `https://x' }; evil()` }, /repository must be a URL/],
    [{ repository: 'http://maven.example.com' }, /repository must be a URL with the protocol https or file/],
    [{ repository, version: '0.2.0' }, /version is not a known option/],
    [{ repository, icon: 'icon.svg' }, /PNG/],
  ];
  for (const [given, message] of wrong)
    test(`${JSON.stringify(given)} is rejected`, () => assert.throws(() => checkOptions(given), message));

  test('can contain only the repository', () => {
    for (const right of [{ repository }, options]) assert.equal(checkOptions(right), right);
  });
});

test('the config plugin changes the files of a project', async () => {
  const project = await mkdtemp(join(tmpdir(), 'carillon-expo-'));
  try {
    await mkdir(join(project, 'assets'));
    await writeFile(join(project, 'assets/notification.png'), 'PNG');
    const files = await runPlugin(project);
    assert.ok(files.projectGradle.contents.includes('maven.example.com'));
    assert.ok(files.appGradle.contents.includes('carillon-android-fcm:0.1.0'));
    assert.ok(files.application.contents.includes('CarillonStartup'));
    assert.ok(files.activity.contents.includes('setIntent(intent)\r\n'));
    assert.equal(files.manifest.manifest.application?.[0]?.['meta-data']?.length, 5);
    const resources = join(project, 'android/app/src/main/res');
    assert.match(await readFile(join(resources, 'values/carillon.xml'), 'utf8'), /104512345/);
    assert.equal(await readFile(join(resources, 'drawable/carillon_notification.png'), 'utf8'), 'PNG');
  } finally {
    await rm(project, { recursive: true });
  }
});

/** Runs the plugin with stand-ins for the functions of Expo, which apply each change immediately. */
async function runPlugin(project: string) {
  const modRequest = { projectRoot: project, platformProjectRoot: join(project, 'android') };
  const files = {
    projectGradle: { contents: PROJECT_GRADLE },
    appGradle: { contents: APP_GRADLE },
    application: { contents: APPLICATION },
    activity: { contents: ACTIVITY.replaceAll('\n', '\r\n') },
    manifest: { manifest: { application: [{}] } } as ParsedManifest,
  };
  const pending: unknown[] = [];
  const applyTo =
    <Results>(modResults: Results) =>
    <Config>(
      config: Config,
      change: (modified: { modResults: Results; modRequest: typeof modRequest }) => unknown,
    ): Config => {
      pending.push(change({ modResults, modRequest }));
      return config;
    };
  const plugin = createPlugin(
    {
      withProjectBuildGradle: applyTo(files.projectGradle),
      withAppBuildGradle: applyTo(files.appGradle),
      withMainApplication: applyTo(files.application),
      withMainActivity: applyTo(files.activity),
      withAndroidManifest: applyTo(files.manifest),
      withDangerousMod: (config, [, change]) => {
        pending.push(change({ modResults: undefined, modRequest }));
        return config;
      },
    },
    '0.1.0',
  );
  plugin({ name: 'shop' }, options);
  await Promise.all(pending);
  return files;
}
