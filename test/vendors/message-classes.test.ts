import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';

const NOW = new Date(1_794_744_000_000);

type Loose = Readonly<Record<string, unknown>>;
interface Row {
  readonly what: string;
  /** The JSON in the `certificate` field. */
  readonly certificate: Loose;
  readonly message?: Partial<Message>;
  readonly environment?: 0 | 1;
  /** The fields of the request. Fields that are not listed must be absent. */
  readonly expected: Loose;
}

/** Functions that read the fields by which a vendor classifies a message. */
const readers: Readonly<Partial<Record<VendorName, (body: string) => Loose>>> = {
  huawei: (body) => {
    const { android } = (JSON.parse(body) as { message: { android: Record<string, unknown> } }).message;
    const shown = (android.notification ?? {}) as Loose;
    return { category: android.category, importance: shown.importance, channel_id: shown.channel_id };
  },
  harmony: (body) => {
    const { payload } = JSON.parse(body) as { payload: { notification?: Loose } };
    return { category: payload.notification?.category };
  },
  honor: (body) => {
    const { android } = JSON.parse(body) as { android: { notification: Loose } };
    return { importance: android.notification.importance };
  },
  xiaomi: (body) => {
    const form = Object.fromEntries(new URLSearchParams(body));
    return {
      channel: form['extra.channel_id'],
      template: form['extra.template_id'],
      parameters: form['extra.template_param'],
    };
  },
  oppo: (body) => {
    const [entry] = JSON.parse(new URLSearchParams(body).get('messages') ?? '') as { notification: Loose }[];
    const { category, notify_level, channel_id } = entry?.notification ?? {};
    return { category, notify_level, channel_id };
  },
  vivo: (body) => {
    const { category, classification, pushMode } = JSON.parse(body) as Loose;
    return { category, classification, pushMode };
  },
  flyme: (body) => {
    const json = new URLSearchParams(body).get('messageJson') ?? '';
    const { noticeBarInfo } = JSON.parse(json) as { noticeBarInfo: Loose };
    return { noticeMsgType: noticeBarInfo.noticeMsgType };
  },
};

const PACKAGES = { package_names: ['com.example'] };

/** For each vendor: no value, a value in the credentials, and another value in the message. */
const tables: Readonly<Partial<Record<VendorName, readonly Row[]>>> = {
  huawei: [
    { what: 'no value is set', certificate: {}, expected: {} },
    {
      what: 'the credentials set the values',
      certificate: { category: 'IM', importance: 'NORMAL', channel_id: 'certified' },
      expected: { category: 'IM', importance: 'NORMAL', channel_id: 'certified' },
    },
    {
      what: 'the message overrides the credentials',
      certificate: { category: 'IM', importance: 'NORMAL', channel_id: 'certified' },
      message: { huawei: { category: 'MARKETING', importance: 'LOW', channel_id: 'own' } },
      expected: { category: 'MARKETING', importance: 'LOW', channel_id: 'own' },
    },
    {
      what: 'a data-only message uses only the class of the message',
      certificate: { category: 'IM', importance: 'NORMAL' },
      message: { type: 'cmd' },
      expected: {},
    },
  ],
  harmony: [
    { what: 'no value is set', certificate: {}, expected: { category: 'MARKETING' } },
    { what: 'the credentials set the values', certificate: { category: 'IM' }, expected: { category: 'IM' } },
    {
      what: 'the message overrides the credentials',
      certificate: { category: 'IM' },
      message: { harmony: { category: 'MARKETING' } },
      expected: { category: 'MARKETING' },
    },
    {
      what: 'a data-only message has no class',
      certificate: { category: 'IM' },
      message: { type: 'cmd' },
      expected: {},
    },
  ],
  honor: [
    { what: 'no value is set', certificate: {}, expected: { importance: 'NORMAL' } },
    { what: 'the credentials set the values', certificate: { importance: 'LOW' }, expected: { importance: 'LOW' } },
    {
      what: 'the message overrides the credentials',
      certificate: { importance: 'LOW' },
      message: { honor: { category: 'NORMAL' } },
      expected: { importance: 'NORMAL' },
    },
    {
      what: 'the message sets a class that Honor does not have',
      certificate: { importance: 'LOW' },
      message: { honor: { category: 'IM' } },
      expected: { importance: 'LOW' },
    },
  ],
  xiaomi: [
    { what: 'no value is set', certificate: PACKAGES, expected: {} },
    {
      what: 'the credentials set the values',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      expected: { channel: '7', template: 'P1', parameters: '{"keywords1":"Ding","keywords2":"dong"}' },
    },
    {
      what: 'the message sets another channel, which the template does not apply to',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { channel_id: '8' } },
      expected: { channel: '8' },
    },
    {
      what: 'the message sets channel, template and variables',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { channel_id: '8', template_id: 'P2', template_param: '{"name":"Ada 🔔"}' } },
      expected: { channel: '8', template: 'P2', parameters: '{"name":"Ada"}' },
    },
    {
      what: 'the message sets another template in the same channel',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { template_id: 'P2' } },
      expected: { channel: '7', template: 'P2', parameters: '{"keywords1":"Ding","keywords2":"dong"}' },
    },
  ],
  oppo: [
    { what: 'no value is set', certificate: {}, expected: {} },
    {
      what: 'the credentials set the values',
      certificate: { category: 'IM', notify_level: 16, channel_id: 'certified' },
      expected: { category: 'IM', notify_level: 16, channel_id: 'certified' },
    },
    {
      what: 'the message sets another class, which the level does not apply to',
      certificate: { category: 'IM', notify_level: 16, channel_id: 'certified' },
      message: { oppo: { category: 'NEWS', channel_id: 'own' } },
      expected: { category: 'NEWS', channel_id: 'own' },
    },
    {
      what: 'the message sets the same class',
      certificate: { category: 'IM', notify_level: 16 },
      message: { oppo: { category: 'IM' } },
      expected: { category: 'IM', notify_level: 16 },
    },
    {
      what: 'the message sets another level',
      certificate: { category: 'IM', notify_level: 16 },
      message: { oppo: { notify_level: 1 } },
      expected: { category: 'IM', notify_level: 1 },
    },
    { what: 'a level without a class', certificate: {}, message: { oppo: { notify_level: 16 } }, expected: {} },
  ],
  vivo: [
    { what: 'no value is set', certificate: {}, expected: { classification: 0, pushMode: 0 } },
    {
      what: 'the credentials set the values',
      certificate: { category: 'IM', default_classification: 1 },
      expected: { category: 'IM', classification: 1, pushMode: 0 },
    },
    {
      what: 'a class of system messages in the credentials does not make a message a system message',
      certificate: { category: 'IM' },
      expected: { classification: 0, pushMode: 0 },
    },
    {
      what: 'classification 0 in the message overrides the credentials',
      certificate: { category: 'IM', default_classification: 1 },
      message: { vivo: { classification: 0 } },
      expected: { classification: 0, pushMode: 0 },
    },
    {
      what: 'a class of operational messages in the credentials',
      certificate: { category: 'NEWS' },
      expected: { category: 'NEWS', classification: 0, pushMode: 0 },
    },
    {
      what: 'the message overrides the credentials',
      certificate: { category: 'IM' },
      message: { vivo: { category: 'NEWS', push_mode: 1, classification: 0 } },
      expected: { category: 'NEWS', classification: 0, pushMode: 1 },
    },
    {
      what: 'the message sets the other classification',
      certificate: { category: 'NEWS' },
      message: { vivo: { classification: 1 } },
      expected: { classification: 1, pushMode: 0 },
    },
    {
      what: 'the environment is for tests',
      certificate: { category: 'IM', default_classification: 1 },
      message: { vivo: { push_mode: 0 } },
      environment: 0,
      expected: { category: 'IM', classification: 1, pushMode: 1 },
    },
  ],
  flyme: [
    { what: 'no value is set', certificate: {}, expected: { noticeMsgType: 0 } },
    { what: 'the credentials set the values', certificate: { notice_msg_type: 1 }, expected: { noticeMsgType: 1 } },
    {
      what: 'the message overrides the credentials',
      certificate: { notice_msg_type: 1 },
      message: { flyme: { notice_msg_type: 0 } },
      expected: { noticeMsgType: 0 },
    },
  ],
};

for (const [name, rows] of Object.entries(tables) as [VendorName, readonly Row[]][]) {
  const vendor = vendorRegistry[name];
  describe(`${name}: class of a message, from the message or the credentials`, () => {
    for (const { what, certificate, message, environment = 1, expected } of rows)
      test(what, () => {
        const account: VendorAccount = {
          appId: 'bells',
          environment,
          vendorAppId: '1001',
          appKey: '',
          appSecret: 'secret',
          certificate: JSON.stringify(certificate),
          version: 1,
        };
        const { body } = vendor.toRequest(
          {
            taskId: 1n,
            deviceId: 64n,
            reference: '1.2.3',
            message: { type: 'text', badge: '+1', title: 'Ding', body: 'dong', ...message },
            badge: undefined,
            notAfter: new Date(NOW.getTime() + 3_600_000),
          },
          ['t1'],
          vendor.toCredentials(account, 'granted'),
          NOW,
        );
        const sentFields = readers[name]?.(body) ?? {};
        assert.deepEqual(
          Object.fromEntries(Object.entries(sentFields).filter(([, value]) => value !== undefined)),
          expected,
        );
      });
  });
}
