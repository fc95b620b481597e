import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { describe, test } from 'node:test';
import { stubRuntime } from '../support/stub-runtime.ts';
import { CarillonApp } from './carillon.ts';
import type { ReceivedNotification, VendorTexts } from './index.ts';

/** React Native cannot be loaded in Node.js. This module stands for a phone without the native module. */
const REACT_NATIVE = `
  export const [DeviceEventEmitter, NativeModules, PermissionsAndroid] = [{}, {}, {}];
  export const Platform = { OS: 'android' };
`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'react-native'
      ? { url: `data:text/javascript,${encodeURIComponent(REACT_NATIVE)}`, shortCircuit: true }
      : next(specifier, context),
});
const { Carillon, pageOf, parseDeepLink, parseVendorMessage } = await import('./index.ts');

const folder = new URL('../../test-vectors/', import.meta.url);
const vectors = <T>(name: string): T => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

/** The Android SDK applies these rules. JavaScript only receives the results. */
const inAndroidSdk = ['badges', 'deduplication', 'receipts', 'reconnects'];
const inJavaScript = ['deep-links', 'notifications', 'recalls', 'vendor-messages'];

type Fields = Record<string, unknown>;

/** Compares the expected fields. Null means that the field is absent. */
function check(name: string, expected: Fields | null, fields: object | undefined) {
  if (!expected || !fields) {
    assert.equal(fields ?? null, expected, name);
    return;
  }
  const keys = Object.keys(expected);
  const found = Object.fromEntries(keys.map((key) => [key, (fields as Fields)[key] ?? null]));
  assert.deepEqual(found, expected, name);
}

const fieldsOf = (notification: ReceivedNotification | undefined) =>
  notification && {
    ...notification,
    ext: notification.ext ?? {},
    message_id: `${notification.message_id}`,
    intent: pageOf(notification),
  };

/** Emits one event of the native module, and returns what the listener of the app receives. */
function receive(event: string, payload: string) {
  const runtime = stubRuntime();
  const app = new CarillonApp(runtime);
  const notifications: ReceivedNotification[] = [];
  const recalls: string[] = [];
  app.onNotification((notification) => notifications.push(notification));
  app.onTap((notification) => notifications.push(notification));
  app.onRecall(({ message_id }) => recalls.push(`${message_id}`));
  runtime.emit(event, payload);
  return { notification: notifications[0], recall: recalls[0] };
}

describe('shared test vectors', () => {
  test('every file is run, here or in the Android SDK', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const names = files.map((file) => file.replace('.json', ''));
    assert.deepEqual(names.sort(), [...inAndroidSdk, ...inJavaScript].sort());
  });

  test('notifications and taps', () => {
    type Vector = { name: string; payload: string; expected: Fields | null };
    for (const { name, payload, expected } of vectors<Vector[]>('notifications'))
      for (const event of ['carillonNotification', 'carillonTap'])
        check(name, expected, fieldsOf(receive(event, payload).notification));
  });

  test('recalls', () => {
    for (const { name, payload, expected } of vectors<{ name: string; payload: string; expected: string | null }[]>(
      'recalls',
    ))
      assert.equal(receive('carillonRecall', payload).recall ?? null, expected, name);
  });

  test('vendor messages', () => {
    type Vector = {
      name: string;
      data: Record<string, string>;
      texts?: VendorTexts;
      displayed?: boolean;
      expected: Fields | null;
    };
    for (const { name, data, texts, displayed, expected } of vectors<Vector[]>('vendor-messages')) {
      const isDisplayed = displayed === true;
      check(name, expected, fieldsOf(parseVendorMessage(data, { texts, isDisplayed })));
    }
  });

  test('deep links', () => {
    for (const { name, uri, expected } of vectors<{ name: string; uri: string; expected: Fields | null }[]>(
      'deep-links',
    ))
      check(name, expected, parseDeepLink(uri, 'com.example.app'));
  });

  test('the app of the package reads its platform and its native module from React Native', () => {
    assert.equal(Carillon.isSupported, true);
    assert.throws(() => Carillon.onTap(() => undefined), /The native module of @carillon\/react-native is missing/);
  });
});
