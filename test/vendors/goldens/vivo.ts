import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '100001',
  appKey: '0a1b2c3d-demo-key',
  appSecret: '9f8e7d6c-demo-secret',
  certificate: '',
  version: 1,
  ...change,
});

export const notification = (message: Partial<Message>, change: Partial<Notification> = {}): Notification => ({
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', ...message },
  badge: undefined,
  notAfter: new Date(NOW.getTime() + HOUR_MS),
  ...change,
});

export const headers = { authtoken: 'granted', 'content-type': 'application/json;charset=UTF-8' };
const map = { mid: '4503599627370497', reference: '4503599627370497.1.9', badge: '+1' };
const texts = { title: 'Ding', body: 'dong' };
const shown = { title: 'Ding', content: 'dong' };
const intent = 'intent:#Intent;component=com.example/com.example.Page;S.room=7;end';
/** With two more extras, so that the app can report the tap. */
const sentIntent =
  'intent:#Intent;component=com.example/com.example.Page;S.room=7;S.mid=4503599627370497;S.reference=4503599627370497.1.9;end';
const image = 'https://example.com/a.png';
const extra = { 'callback.id': '77', 'callback.param': '4503599627370497.1.9' };

/** A request for the token t1. */
export const usualBody = {
  appId: 100_001,
  regId: 't1',
  notifyType: 4,
  ...shown,
  skipType: 1,
  classification: 0,
  clientCustomMap: map,
  pushMode: 0,
  notifyId: 2_097_154,
  timeToLive: 3_600,
  requestId: '4503599627370497.1.9.YotJ2W3N6XpD',
};

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly notification?: Partial<Notification>;
  readonly account?: Partial<VendorAccount>;
  readonly body: object;
}

export const goldens: readonly Golden[] = [
  { what: 'title and body', message: texts, body: usualBody },
  {
    what: 'a body without a title; the beginning of the body becomes the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    body: { ...usualBody, title: `${'dong '.repeat(7)}dong…`, content: `${'dong '.repeat(8)}dong` },
  },
  {
    what: 'a title without a body; the title becomes the body',
    message: { title: 'Ding' },
    body: { ...usualBody, content: 'Ding' },
  },
  {
    what: 'a title and a body of the maximum length, with characters outside the Basic Multilingual Plane',
    message: { title: '🔔'.repeat(40), body: '钟'.repeat(100) },
    body: { ...usualBody, title: '🔔'.repeat(40), content: '钟'.repeat(100) },
  },
  {
    what: 'a title and a body that are too long, cut between grapheme clusters',
    message: { title: `${'a'.repeat(38)}👩‍👩‍👧!`, body: `${'钟'.repeat(98)}🇩🇪🇩🇪` },
    body: { ...usualBody, title: `${'a'.repeat(38)}…`, content: `${'钟'.repeat(98)}…` },
  },
  {
    what: 'body, and big_text only for the app',
    message: { ...texts, big_text: 'dong dong dong' },
    body: { ...usualBody, clientCustomMap: { ...map, body: 'dong', big_text: 'dong dong dong' } },
  },
  {
    what: 'big_text without a body; big_text becomes the body',
    message: { title: 'Ding', big_text: 'dong dong dong' },
    body: { ...usualBody, content: 'dong dong dong' },
  },
  {
    what: 'an image, only for the app',
    message: { type: 'image', ...texts, attachment_url: image },
    body: { ...usualBody, clientCustomMap: { ...map, attachment_url: image } },
  },
  {
    what: 'ext with all digits of its integers',
    message: { ...texts, ext: { id: 9_223_372_036_854_775_807n, to: 'a"b' } },
    body: { ...usualBody, clientCustomMap: { ...map, ext: '{"id":9223372036854775807,"to":"a\\"b"}' } },
  },
  {
    what: 'no ext if it does not fit',
    message: { ...texts, attachment_url: image, ext: { x: 'x'.repeat(4_000) } },
    body: { ...usualBody, clientCustomMap: { ...map, attachment_url: image } },
  },
  {
    what: 'ext, but no attachment if it does not fit',
    message: { ...texts, attachment_url: `https://example.com/${'a'.repeat(1_000)}`, ext: { x: 'x' } },
    body: { ...usualBody, clientCustomMap: { ...map, ext: '{"x":"x"}' } },
  },
  {
    what: 'a badge that is set, only for the app',
    message: { ...texts, badge: '7' },
    account: { certificate: '{"add_badge":true}' },
    body: { ...usualBody, clientCustomMap: { ...map, badge: '7' } },
  },
  {
    what: 'an incremented badge, to which vivo adds 1',
    message: { ...texts, badge: '+3' },
    account: { certificate: '{"add_badge":true}' },
    body: { ...usualBody, clientCustomMap: { ...map, badge: '+3' }, addBadge: true },
  },
  {
    what: 'an unchanged badge, only for the app',
    message: { ...texts, badge: '+0' },
    account: { certificate: '{"add_badge":true}' },
    body: { ...usualBody, clientCustomMap: { ...map, badge: '+0' } },
  },
  {
    what: 'an incremented badge only for the app if the credentials do not set add_badge',
    message: { ...texts, badge: '+3' },
    body: { ...usualBody, clientCustomMap: { ...map, badge: '+3' } },
  },
  {
    what: 'no sound, and an intent, where vivo overrides android',
    message: {
      ...texts,
      android: { sound: 'bell', click_action: 'open_app', channel_id: 'all' },
      vivo: { sound: 'none', click_action: 'intent', intent },
    },
    body: { ...usualBody, notifyType: 1, skipType: 4, skipContent: sentIntent },
  },
  {
    what: 'a system message',
    message: { ...texts, vivo: { push_mode: 0, classification: 1 } },
    body: { ...usualBody, classification: 1 },
  },
  {
    what: 'a test message',
    message: { ...texts, vivo: { push_mode: 1, classification: 0 } },
    body: { ...usualBody, pushMode: 1 },
  },
  {
    what: 'a test message for a development token, regardless of push_mode in the message',
    message: { ...texts, vivo: { push_mode: 0, classification: 0 } },
    account: { environment: 0 },
    body: { ...usualBody, pushMode: 1 },
  },
  {
    what: 'the class of the message, which determines the classification',
    message: { ...texts, vivo: { category: 'IM', classification: 0 } },
    account: { certificate: '{"category":"NEWS"}' },
    body: { ...usualBody, classification: 1, category: 'IM' },
  },
  {
    what: 'an unknown class, with the classification of the message',
    message: { ...texts, vivo: { category: 'WEATHER', classification: 1 } },
    body: { ...usualBody, classification: 1, category: 'WEATHER' },
  },
  {
    what: 'the class, its classification and the callback ID in the credentials',
    message: texts,
    account: { certificate: '{"category":"ORDER","default_classification":1,"callback_id":"77"}' },
    body: { ...usualBody, classification: 1, category: 'ORDER', extra },
  },
  {
    what: 'no class from the credentials if the message has another classification',
    message: { ...texts, vivo: { classification: 1 } },
    account: { certificate: '{"category":"NEWS"}' },
    body: { ...usualBody, classification: 1 },
  },
  {
    what: 'the longest lifetime that vivo accepts',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    body: { ...usualBody, timeToLive: 86_400 },
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    body: { ...usualBody, timeToLive: 60 },
  },
  {
    what: 'the time in which the phone shows the notification',
    message: { ...texts, show_end_time: 1_794_747_600n },
    notification: { notAfter: new Date('2026-11-15T13:00:00Z') },
    body: {
      ...usualBody,
      timedDisplay: { showStartTime: 1_794_744_000_400, showEndTime: 1_794_747_600_000, overtimeDisplay: false },
      timeToLive: 3_599,
    },
  },
];
