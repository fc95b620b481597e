import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messageSchema } from '#src/contract/schemas/message.ts';
import { androidVendors, type VendorName, vendorNames } from '#src/domain/channel.ts';
import type { Message, MessageType } from '#src/domain/message.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { type MessageField, messageFields } from '#src/vendors/translate/message-fields.ts';
import type { Notification, Vendor, VendorAccount } from '#src/vendors/vendor.ts';
import { browser, TOKEN, account as webPushAccount } from './goldens/webpush.ts';

type Loose = Readonly<Record<string, unknown>>;

const NOW_SECONDS = 1_794_744_000;
const NOW = new Date(NOW_SECONDS * 1_000);

const fieldsOf = (name: keyof typeof messageSchema.properties) =>
  Object.keys((messageSchema.properties[name] as { properties?: object }).properties ?? {});
const sharedFields = fieldsOf('android');
/** The vendors that have an object with parameters. */
const vendorObjects = vendorNames.filter((name) => name !== 'apns');
/** Fields that only some vendors have. */
const extraFields = [...new Set(vendorObjects.flatMap(fieldsOf))].filter((field) => !sharedFields.includes(field));

const page = (name: string) =>
  `intent:#Intent;action=com.example.${name};component=com.example/com.example.${name};end`;

/** Two different valid values for every field. */
const values: Readonly<Record<Exclude<MessageField, 'type'>, readonly [unknown, unknown]>> = {
  title: ['Ding', 'Dang'],
  body: ['dong', 'dung'],
  attachment_url: ['https://example.com/a.png', 'https://example.com/b.png'],
  big_text: [undefined, 'dong dong dong'],
  badge: ['3', '4'],
  ext: [{ room: 1 }, { room: 2 }],
  show_begin_time: [BigInt(NOW_SECONDS + 10), BigInt(NOW_SECONDS + 20)],
  show_end_time: [BigInt(NOW_SECONDS + 3_600), BigInt(NOW_SECONDS + 7_200)],
  'ios.sound': ['bell', 'gong'],
  'ios.content_available': [false, true],
  'ios.mutable_content': [false, true],
  'ios.category': ['one', 'two'],
  'ios.thread_id': ['one', 'two'],
  'ios.subtitle': ['one', 'two'],
  'ios.apns_collapse_id': ['one', 'two'],
  sound: ['bell', 'gong'],
  channel_id: ['one', 'two'],
  click_action: ['intent', 'open_app'],
  intent: [page('One'), page('Two')],
  category: ['LOW', 'NORMAL'],
  importance: ['LOW', 'NORMAL'],
  notify_level: [1, 16],
  template_id: ['P1', 'P2'],
  template_param: ['{"keywords1":"Ada"}', '{"keywords1":"Bob"}'],
  notice_msg_type: [0, 1],
  badge_class: ['com.example.One', 'com.example.Two'],
  push_mode: [0, 1],
  classification: [0, 1],
  action: ['com.example.one', 'com.example.two'],
  uri: ['https://example.com/one', 'https://example.com/two'],
  collapse_key: [1, 2],
  foreground_show: [false, true],
  navigate: ['https://example.com/one', 'https://example.com/two'],
  tag: ['one', 'two'],
  icon: ['https://example.com/one.png', 'https://example.com/two.png'],
  lang: ['en', 'fr'],
  dir: ['ltr', 'rtl'],
  silent: [false, true],
  urgency: ['low', 'normal'],
};

const valuesOf = (names: readonly string[], prefix = '') =>
  Object.fromEntries(names.map((name) => [name, values[`${prefix}${name}` as keyof typeof values][0]]));

/**
 * Returns a message with a value in every field. Vendor objects contain only fields that `android` does not have,
 * because a field in a vendor object overrides the same field in `android`.
 */
const rich = (type: MessageType): Loose => ({
  ...valuesOf(Object.keys(messageSchema.properties).filter((name) => name in values)),
  type,
  ios: valuesOf(fieldsOf('ios'), 'ios.'),
  android: valuesOf(sharedFields),
  ...Object.fromEntries(
    vendorObjects.map((name) => [name, valuesOf(fieldsOf(name).filter((field) => extraFields.includes(field)))]),
  ),
});

const put = (message: Loose, object: string, change: Loose): Loose => ({
  ...message,
  [object]: { ...(message[object] as Loose), ...change },
});

/** Returns the changes that set a field for this vendor, each with the path that it sets, such as `android.sound`. */
function changesOf(vendor: VendorName, field: Exclude<MessageField, 'type'>): [string, (message: Loose) => Loose][] {
  const value = values[field][1];
  const [object, name] = field.split('.');
  if (name !== undefined) return [[field, (message) => put(message, object as string, { [name]: value })]];
  if (field in messageSchema.properties) return [[field, (message) => ({ ...message, [field]: value })]];
  // `click_action` and `intent` are a pair.
  const change = field === 'intent' ? { click_action: 'intent', intent: value } : { [field]: value };
  const objects = ['android' as const, ...vendorObjects.filter((each) => each === vendor)];
  return objects
    .filter((each) => fieldsOf(each).includes(field))
    .map((each) => [`${each}.${field}`, (message) => put(message, each, change)]);
}

const account: VendorAccount = {
  appId: 'bells',
  environment: 1,
  vendorAppId: '1001',
  appKey: 'key',
  appSecret: 'secret',
  certificate: '',
  version: 1,
};

/** Values of the `certificate` field that an account requires. */
const certificates: Readonly<Partial<Record<VendorName, string>>> = {
  xiaomi: '{"package_names":["com.example"]}',
};

function requestOf(vendor: Vendor<unknown>, given: Loose): string {
  const message = given as unknown as Message;
  const notification: Notification = {
    taskId: 4_503_599_627_370_497n,
    deviceId: 6_401n,
    reference: '4503599627370497.1.9',
    message,
    badge: Number(message.badge),
    notAfter: new Date(Number(message.show_end_time) * 1_000),
  };
  const used = vendor.name === 'webpush' ? webPushAccount : account;
  const credentials = vendor.toCredentials({ ...used, certificate: certificates[vendor.name] ?? '' }, 'granted');
  const token = vendor.name === 'webpush' ? TOKEN : 't1';
  const { bytes, ...request } = vendor.toRequest(notification, [token], credentials, NOW);
  return JSON.stringify({ ...request, ...(bytes && { decrypted: browser.decrypt(bytes) }) });
}

const types = ['text', 'image', 'cmd'] as const satisfies MessageType[];

test('the list of fields matches the API', () => {
  const ofMessage = Object.keys(messageSchema.properties).filter((name) => fieldsOf(name as 'ios').length === 0);
  const all = [...ofMessage, ...fieldsOf('ios').map((field) => `ios.${field}`), ...sharedFields, ...extraFields];
  assert.deepEqual([...messageFields].sort(), all.sort());
  for (const name of androidVendors)
    assert.deepEqual(
      sharedFields.filter((field) => !fieldsOf(name).includes(field)),
      [],
      `${name} has the fields of android`,
    );
});

for (const [name, vendor] of Object.entries(vendorRegistry) as [VendorName, Vendor<unknown>][]) {
  describe(`${name} uses each field as its table states`, () => {
    test('has the name under which it is listed', () => assert.equal(vendor.name, name));

    test('type', () => {
      assert.ok('becomes' in vendor.fields.type);
      assert.notEqual(requestOf(vendor, rich('cmd')), requestOf(vendor, rich('text')));
    });

    for (const field of messageFields.filter((each) => each !== 'type')) {
      const use = vendor.fields[field];
      const changes = changesOf(name, field);
      if ('becomes' in use) test(`${field} can be set`, () => assert.ok(changes.length > 0));
      for (const [where, change] of changes) {
        const changed = () =>
          types.filter((type) => requestOf(vendor, change(rich(type))) !== requestOf(vendor, rich(type)));
        const isUsed = 'becomes' in use && !(use.isVendorObjectOnly && where.startsWith('android.'));
        if (isUsed) test(`${where} changes the request`, () => assert.notDeepEqual(changed(), []));
        else test(`${where} does not change the request`, () => assert.deepEqual(changed(), []));
      }
    }

    test('ignores the objects of other vendors', () => {
      for (const type of types) {
        const others = vendorObjects.filter((each) => each !== name);
        const changed = others.reduce(
          (message, each) =>
            put(message, each, Object.fromEntries(fieldsOf(each).map((field) => [field, values[field as 'sound'][1]]))),
          rich(type),
        );
        assert.equal(requestOf(vendor, changed), requestOf(vendor, rich(type)));
      }
    });
  });
}
