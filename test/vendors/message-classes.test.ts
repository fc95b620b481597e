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
  /** The JSON of the certificate. */
  readonly certificate: Loose;
  readonly message?: Partial<Message>;
  readonly environment?: 0 | 1;
  /** What the vendor is told; undefined: nothing of that. */
  readonly expected: Loose;
}

/** What of the request says how the vendor sorts the message. */
const readers: Readonly<Partial<Record<VendorName, (body: string) => Loose>>> = {
  huawei: (body) => {
    const { android } = (JSON.parse(body) as { message: { android: Record<string, unknown> } }).message;
    const shown = (android.notification ?? {}) as Loose;
    return { category: android.category, importance: shown.importance, channel_id: shown.channel_id };
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

/** Of each vendor: nothing said, the certificate's word, and the message's own word against it. */
const tables: Readonly<Partial<Record<VendorName, readonly Row[]>>> = {
  huawei: [
    { what: 'nothing is said', certificate: {}, expected: {} },
    {
      what: 'the certificate says it',
      certificate: { category: 'IM', importance: 'NORMAL', channel_id: 'certified' },
      expected: { category: 'IM', importance: 'NORMAL', channel_id: 'certified' },
    },
    {
      what: 'the message says otherwise',
      certificate: { category: 'IM', importance: 'NORMAL', channel_id: 'certified' },
      message: { huawei: { category: 'MARKETING', importance: 'LOW', channel_id: 'own' } },
      expected: { category: 'MARKETING', importance: 'LOW', channel_id: 'own' },
    },
    {
      what: 'a command is of its own class alone',
      certificate: { category: 'IM', importance: 'NORMAL' },
      message: { type: 'cmd' },
      expected: {},
    },
  ],
  honor: [
    { what: 'nothing is said', certificate: {}, expected: { importance: 'NORMAL' } },
    { what: 'the certificate says it', certificate: { importance: 'LOW' }, expected: { importance: 'LOW' } },
    {
      what: 'the message says otherwise',
      certificate: { importance: 'LOW' },
      message: { honor: { category: 'NORMAL' } },
      expected: { importance: 'NORMAL' },
    },
    {
      what: 'the message says a class that Honor has not',
      certificate: { importance: 'LOW' },
      message: { honor: { category: 'IM' } },
      expected: { importance: 'LOW' },
    },
  ],
  xiaomi: [
    { what: 'nothing is said', certificate: PACKAGES, expected: {} },
    {
      what: 'the certificate says it',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      expected: { channel: '7', template: 'P1', parameters: '{"keywords1":"Ding","keywords2":"dong"}' },
    },
    {
      what: 'the message says another channel, which the template is not for',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { channel_id: '8' } },
      expected: { channel: '8' },
    },
    {
      what: 'the message says channel, template and its variables',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { channel_id: '8', template_id: 'P2', template_param: '{"name":"Ada 🔔"}' } },
      expected: { channel: '8', template: 'P2', parameters: '{"name":"Ada"}' },
    },
    {
      what: 'the message says another template in the same channel',
      certificate: { ...PACKAGES, channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { template_id: 'P2' } },
      expected: { channel: '7', template: 'P2', parameters: '{"keywords1":"Ding","keywords2":"dong"}' },
    },
  ],
  oppo: [
    { what: 'nothing is said', certificate: {}, expected: {} },
    {
      what: 'the certificate says it',
      certificate: { category: 'IM', notify_level: 16, channel_id: 'certified' },
      expected: { category: 'IM', notify_level: 16, channel_id: 'certified' },
    },
    {
      what: 'the message says another class, which the level is not for',
      certificate: { category: 'IM', notify_level: 16, channel_id: 'certified' },
      message: { oppo: { category: 'NEWS', channel_id: 'own' } },
      expected: { category: 'NEWS', channel_id: 'own' },
    },
    {
      what: 'the message says the same class',
      certificate: { category: 'IM', notify_level: 16 },
      message: { oppo: { category: 'IM' } },
      expected: { category: 'IM', notify_level: 16 },
    },
    {
      what: 'the message says another level',
      certificate: { category: 'IM', notify_level: 16 },
      message: { oppo: { notify_level: 1 } },
      expected: { category: 'IM', notify_level: 1 },
    },
    { what: 'a level without a class', certificate: {}, message: { oppo: { notify_level: 16 } }, expected: {} },
  ],
  vivo: [
    { what: 'nothing is said', certificate: {}, expected: { classification: 0, pushMode: 0 } },
    {
      what: 'the certificate says it',
      certificate: { category: 'IM' },
      expected: { category: 'IM', classification: 1, pushMode: 0 },
    },
    {
      what: 'the message says otherwise',
      certificate: { category: 'IM' },
      message: { vivo: { category: 'NEWS', push_mode: 1, classification: 0 } },
      expected: { category: 'NEWS', classification: 0, pushMode: 1 },
    },
    {
      what: 'the message says the other kind',
      certificate: { category: 'NEWS' },
      message: { vivo: { classification: 1 } },
      expected: { classification: 1, pushMode: 0 },
    },
    {
      what: 'the environment is for tests',
      certificate: { category: 'IM' },
      message: { vivo: { push_mode: 0 } },
      environment: 0,
      expected: { category: 'IM', classification: 1, pushMode: 1 },
    },
  ],
  flyme: [
    { what: 'nothing is said', certificate: {}, expected: { noticeMsgType: 0 } },
    { what: 'the certificate says it', certificate: { notice_msg_type: 1 }, expected: { noticeMsgType: 1 } },
    {
      what: 'the message says otherwise',
      certificate: { notice_msg_type: 1 },
      message: { flyme: { notice_msg_type: 0 } },
      expected: { noticeMsgType: 0 },
    },
  ],
};

for (const [name, rows] of Object.entries(tables) as [VendorName, readonly Row[]][]) {
  const vendor = vendorRegistry[name];
  describe(`${name}: the class of a message is the certificate's unless it says its own`, () => {
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
