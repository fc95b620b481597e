import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';

interface Row {
  readonly what: string;
  readonly message?: Partial<Message>;
  /** The JSON in the `certificate` field. */
  readonly certificate?: object;
  readonly environment?: Environment;
  /** One regular expression for each sentence, in order. */
  readonly says: readonly RegExp[];
}

const command = { type: 'cmd' } as const;
const twoADay = /gets 2 messages per app per day \(5 if the app is licensed for news\)/;

const tables: Readonly<Record<VendorName, readonly Row[]>> = {
  apns: [
    { what: 'a notification', says: [] },
    {
      what: 'a data-only message',
      message: command,
      says: [/2 or 3 data-only messages \(cmd\) per hour.*content_available/],
    },
  ],
  fcm: [
    { what: 'a notification', says: [] },
    { what: 'a data-only message', message: command, says: [/priority NORMAL.*as a notification/] },
  ],
  webpush: [
    { what: 'a notification that names a page', message: { webpush: { navigate: 'https://example.com/' } }, says: [] },
    { what: 'a page in the credentials', certificate: { navigate: 'https://example.com/' }, says: [] },
    { what: 'no page', says: [/Safari .* names no page.*webpush\.navigate.*credentials/] },
    {
      what: 'low urgency',
      message: { webpush: { navigate: 'https://example.com/', urgency: 'low' } },
      says: [/low battery.*urgency low/],
    },
  ],
  huawei: [
    {
      what: 'a message without a class',
      says: [/a device gets 2 messages per app per day.*name one.*huawei\.category/],
    },
    { what: 'a message with the class of the credentials', certificate: { category: 'IM' }, says: [] },
    {
      what: 'marketing',
      certificate: { category: 'IM' },
      message: { huawei: { category: 'MARKETING' } },
      says: [/MARKETING.*a device gets 2/],
    },
    { what: 'a quiet message', certificate: { category: 'IM', importance: 'LOW' }, says: [/importance LOW.*NORMAL/] },
    {
      what: 'a message that overrides the low importance',
      certificate: { category: 'IM', importance: 'LOW' },
      message: { huawei: { importance: 'NORMAL' } },
      says: [],
    },
    { what: 'a test message', environment: 0, says: [/500 a day: use environment 1/] },
    { what: 'a data-only message', message: command, says: [/until the app runs/] },
    { what: 'a data-only test message', message: command, environment: 0, says: [/until the app runs/, /500 a day/] },
  ],
  harmony: [
    {
      what: 'a message without a class',
      says: [/sent as MARKETING.*a device gets 2 messages per app per day.*without a sound.*harmony\.category/],
    },
    { what: 'a message with the class of the credentials', certificate: { category: 'IM' }, says: [] },
    {
      what: 'marketing',
      certificate: { category: 'IM' },
      message: { harmony: { category: 'MARKETING' } },
      says: [/class of the message is MARKETING.*a device gets 2/],
    },
    { what: 'a test message', environment: 0, says: [/1000 a day: use environment 1/] },
    { what: 'a data-only message', message: command, says: [/until the app runs/] },
    { what: 'a data-only test message', message: command, environment: 0, says: [/until the app runs/, /1000 a day/] },
  ],
  honor: [
    {
      what: 'a message without an importance',
      says: [/sent as NORMAL.*2 messages per app per day.*in the credentials/],
    },
    { what: 'an importance in the credentials', certificate: { importance: 'NORMAL' }, says: [] },
    { what: 'an importance in the message', message: { honor: { category: 'NORMAL' } }, says: [] },
    { what: 'marketing', certificate: { importance: 'LOW' }, says: [twoADay] },
    {
      what: 'marketing with an image',
      message: { type: 'image', honor: { category: 'LOW' } },
      says: [twoADay, /image is not shown/],
    },
    {
      what: 'a class that Honor does not have',
      certificate: { importance: 'NORMAL' },
      message: { honor: { category: 'IM' } },
      says: [/does not support the class IM.*LOW or NORMAL/],
    },
    { what: 'a test message', environment: 0, says: [/1000 a day: use environment 1/] },
    { what: 'a data-only message', message: command, says: [] },
  ],
  xiaomi: [
    { what: 'a message without a channel', says: [/receives 1 message.*xiaomi\.channel_id/] },
    {
      what: 'a message of the public class',
      certificate: { channel_id: '7' },
      says: [/public class.*gets 5.*\(8.*template_id/],
    },
    { what: 'a private message', certificate: { channel_id: '7', template_id: 'P1' }, says: [] },
    {
      what: 'a message in a channel other than the channel of the template',
      certificate: { channel_id: '7', template_id: 'P1' },
      message: { xiaomi: { channel_id: '8' } },
      says: [/public class/],
    },
    {
      what: 'a message with a separate template',
      certificate: { channel_id: '7' },
      message: { xiaomi: { channel_id: '8', template_id: 'P2' } },
      says: [],
    },
    {
      what: 'a private message without a template',
      certificate: { channel_id: '7', private_channel_ids: ['7'] },
      says: [/channel 7 is private.*requires a template/],
    },
    {
      what: 'values for other variables than those of the template',
      certificate: { channel_id: '7', template_id: 'P1', template_variables: { name: 'title', text: 'body' } },
      message: { xiaomi: { template_param: '{"name":"Ding"}' } },
      says: [/are for name, but the template has the variables name, text/],
    },
    {
      what: 'values for the variables of the template',
      certificate: { channel_id: '7', template_id: 'P1', template_variables: { name: 'title', text: 'body' } },
      message: { xiaomi: { template_param: '{"text":"dong","name":"Ding"}' } },
      says: [],
    },
    {
      what: 'a message with a channel only in android',
      message: { android: { channel_id: 'chat' } },
      says: [/name a channel/],
    },
  ],
  oppo: [
    { what: 'a message without a class', says: [/content and marketing.*gets 2.*oppo\.category/] },
    { what: 'a message with the class of the credentials', certificate: { category: 'IM' }, says: [] },
    { what: 'news', message: { oppo: { category: 'NEWS' } }, says: [/NEWS is content or marketing.*gets 2/] },
    {
      what: 'a level without a class',
      message: { oppo: { notify_level: 16 } },
      says: [/gets 2/, /notify_level is left out/],
    },
    {
      what: 'a class that the level of the credentials does not apply to',
      certificate: { category: 'IM', notify_level: 16 },
      message: { oppo: { category: 'ORDER' } },
      says: [/default notification level.*oppo\.notify_level.*ORDER/],
    },
    {
      what: 'a class with a separate level',
      certificate: { category: 'IM', notify_level: 16 },
      message: { oppo: { category: 'ORDER', notify_level: 16 } },
      says: [],
    },
  ],
  vivo: [
    { what: 'an operational message', says: [/gets 2 .*07:00 to 23:00.*vivo\.category/] },
    {
      what: 'a message with the class of the credentials',
      certificate: { category: 'IM', default_classification: 1 },
      says: [],
    },
    {
      what: 'an operational message, with a class of system messages in the credentials',
      certificate: { category: 'IM' },
      says: [/class IM of the credentials is not used.*default_classification/, /gets 2/],
    },
    { what: 'a system message with a class', message: { vivo: { classification: 1, category: 'IM' } }, says: [] },
    { what: 'a system message without a class', message: { vivo: { classification: 1 } }, says: [/name its class/] },
    {
      what: 'a class that contradicts the classification',
      message: { vivo: { classification: 1, category: 'NEWS' } },
      says: [/classification 1 is not used, since NEWS is operational/, /gets 2/],
    },
    {
      what: 'a message that push_mode makes a test message',
      certificate: { category: 'IM', default_classification: 1 },
      message: { vivo: { push_mode: 1 } },
      says: [/console lists.*10,000 a day.*push_mode 0/],
    },
    { what: 'a test message', environment: 0, says: [/console lists.* 100 a day.*environment 1/] },
  ],
  flyme: [
    { what: 'a public message', says: [/public message.*gets 3.*\(5.*flyme\.notice_msg_type/] },
    { what: 'a message that the credentials make private', certificate: { notice_msg_type: 1 }, says: [] },
    { what: 'a message whose notice_msg_type makes it private', message: { flyme: { notice_msg_type: 1 } }, says: [] },
    {
      what: 'a message whose notice_msg_type makes it public despite the credentials',
      certificate: { notice_msg_type: 1 },
      message: { flyme: { notice_msg_type: 0 } },
      says: [/public message/],
    },
  ],
};

test('every vendor has test cases', () => {
  assert.deepEqual(Object.keys(tables).sort(), Object.keys(vendorRegistry).sort());
});

for (const [name, rows] of Object.entries(tables) as [VendorName, readonly Row[]][])
  describe(`demotions and caps of ${name}`, () => {
    for (const { what, message, certificate = {}, environment = 1, says } of rows)
      test(what, () => {
        const vendor = vendorRegistry[name];
        const account = {
          appId: 'bells',
          environment,
          vendorAppId: '1001',
          appKey: '',
          appSecret: '',
          certificate: JSON.stringify(certificate),
          version: 1,
        };
        const demotionsIn = (language: Language) =>
          vendor.demotions(
            { type: 'text', badge: '+1', body: 'dong', ...message },
            vendor.toCredentials(account, undefined),
            language,
          );
        const demotions = demotionsIn('en');
        assert.equal(demotions.length, says.length, demotions.join('\n'));
        for (const [i, sentence] of demotions.entries()) {
          assert.match(sentence, says[i] as RegExp);
          assert.match(sentence, /^(?:[A-Z]|\w+_\w+ |classification ).*\.$/, 'the demotion is a sentence');
        }
        for (const sentence of demotionsIn('zh')) assert.match(sentence, /\p{Script=Han}.*。$/u);
        assert.equal(demotionsIn('zh').length, says.length);
      });
  });
