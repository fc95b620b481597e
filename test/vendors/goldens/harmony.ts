import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '7361001',
  appKey: '10086001',
  appSecret: '',
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

export const headersFor = (pushType: number) => ({
  authorization: 'Bearer granted',
  'push-type': `${pushType}`,
  'content-type': 'application/json;charset=UTF-8',
});
const ids = { mid: '4503599627370497', reference: '4503599627370497.1.9', badge: '+1' };
const options = { ttl: 3_600, biTag: '4503599627370497.1.9' };
const open = { actionType: 0, data: ids };
const identity = { notifyId: 2_097_154, appMessageId: '4503599627370497' };
const texts = { title: 'Ding', body: 'dong' };
const image = 'https://example.com/a.png';

/** Returns the usual notification with some parts changed, in the order of the request. */
const usual = (change: {
  readonly category?: string;
  readonly texts?: object;
  readonly clickAction?: object;
  readonly badge?: object | undefined;
  readonly shown?: object;
}) => ({
  notification: {
    category: change.category ?? 'MARKETING',
    ...(change.texts ?? texts),
    clickAction: change.clickAction ?? open,
    ...('badge' in change ? change.badge && { badge: change.badge } : { badge: { addNum: 1 } }),
    ...change.shown,
    ...identity,
  },
});

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly notification?: Partial<Notification>;
  readonly account?: Partial<VendorAccount>;
  readonly path?: string;
  readonly pushType?: number;
  readonly payload: object;
  readonly pushOptions?: object;
}

export const goldens: readonly Golden[] = [
  { what: 'title and body', message: texts, payload: usual({}) },
  {
    what: 'a body without a title; the beginning of the body becomes the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    payload: usual({ texts: { title: `${'dong '.repeat(7)}dong…`, body: `${'dong '.repeat(8)}dong` } }),
  },
  {
    what: 'a title without a body; the title becomes the body',
    message: { title: 'Ding' },
    payload: usual({ texts: { title: 'Ding', body: 'Ding' } }),
  },
  {
    what: 'big_text, only for the app if there is a body',
    message: { ...texts, big_text: 'dong dong dong' },
    payload: usual({ clickAction: { actionType: 0, data: { ...ids, body: 'dong', big_text: 'dong dong dong' } } }),
  },
  {
    what: 'big_text as the body if there is no body',
    message: { title: 'Ding', big_text: 'dong dong dong' },
    payload: usual({ texts: { title: 'Ding', body: 'dong dong dong' } }),
  },
  {
    what: 'an image',
    message: { type: 'image', ...texts, attachment_url: image },
    payload: usual({
      texts: { ...texts, image },
      clickAction: { actionType: 0, data: { ...ids, attachment_url: image } },
    }),
  },
  {
    what: 'an image without https, only for the app',
    message: { type: 'image', ...texts, attachment_url: 'http://example.com/a.png' },
    payload: usual({ clickAction: { actionType: 0, data: { ...ids, attachment_url: 'http://example.com/a.png' } } }),
  },
  {
    what: 'ext with all digits of its integers',
    message: { ...texts, ext: { id: 9_223_372_036_854_775_807n } },
    payload: usual({ clickAction: { actionType: 0, data: { ...ids, ext: '{"id":9223372036854775807}' } } }),
  },
  {
    what: 'no ext if it does not fit',
    message: { ...texts, ext: { x: 'x'.repeat(4_000) } },
    payload: usual({}),
  },
  {
    what: 'a data-only message in the background',
    message: { type: 'cmd', title: 'sync', body: 'now', ext: { to: 'a"b' }, harmony: { category: 'IM' } },
    pushType: 6,
    payload: { extraData: JSON.stringify({ ...ids, title: 'sync', body: 'now', ext: '{"to":"a\\"b"}' }) },
  },
  {
    what: 'a data-only message with big_text',
    message: { type: 'cmd', body: 'now', big_text: 'right now' },
    pushType: 6,
    payload: { extraData: JSON.stringify({ ...ids, body: 'now', big_text: 'right now' }) },
  },
  {
    what: 'a badge that is set, up to the maximum',
    message: { ...texts, badge: '100' },
    payload: usual({ badge: { setNum: 99 }, clickAction: { actionType: 0, data: { ...ids, badge: '100' } } }),
  },
  {
    what: 'a cleared badge',
    message: { ...texts, badge: '0' },
    payload: usual({ badge: { setNum: 0 }, clickAction: { actionType: 0, data: { ...ids, badge: '0' } } }),
  },
  {
    what: 'an incremented badge',
    message: { ...texts, badge: '+3' },
    payload: usual({ badge: { addNum: 3 }, clickAction: { actionType: 0, data: { ...ids, badge: '+3' } } }),
  },
  {
    what: 'no badge if it is incremented by zero',
    message: { ...texts, badge: '+0' },
    payload: usual({ badge: undefined, clickAction: { actionType: 0, data: { ...ids, badge: '+0' } } }),
  },
  {
    what: 'a sound and the display in the foreground, without the sound of android',
    message: { ...texts, android: { sound: 'gong' }, harmony: { sound: 'bell.mp3', foreground_show: false } },
    payload: usual({ shown: { sound: 'bell.mp3', foregroundShow: false } }),
  },
  {
    what: 'no sound field for the default sound',
    message: { ...texts, android: { sound: 'gong' }, harmony: { sound: 'default' } },
    payload: usual({}),
  },
  {
    what: 'a page named by its action',
    message: { ...texts, harmony: { action: 'com.example.page' } },
    payload: usual({ clickAction: { actionType: 1, action: 'com.example.page', data: ids } }),
  },
  {
    what: 'a page named by its URI',
    message: { ...texts, harmony: { uri: 'https://example.com/page' } },
    payload: usual({ clickAction: { actionType: 1, uri: 'https://example.com/page', data: ids } }),
  },
  {
    what: 'a group of which an offline phone receives only the latest message',
    message: { ...texts, harmony: { collapse_key: 7 } },
    payload: usual({}),
    pushOptions: { ...options, collapseKey: 7 },
  },
  {
    what: 'the class and the receipt configuration in the credentials',
    message: texts,
    account: { certificate: '{"category":"IM","receipt_id":"r1"}' },
    payload: usual({ category: 'IM' }),
    pushOptions: { ...options, receiptId: 'r1' },
  },
  {
    what: 'the class of the message',
    message: { ...texts, harmony: { category: 'TRAVEL' } },
    account: { certificate: '{"category":"IM"}' },
    payload: usual({ category: 'TRAVEL' }),
  },
  {
    what: 'a test message for a development token',
    message: texts,
    account: { environment: 0 },
    payload: usual({}),
    pushOptions: { testMessage: true, ...options },
  },
  {
    what: 'the path with an encoded project ID',
    message: texts,
    account: { vendorAppId: '7361/x' },
    path: '/v3/7361%2Fx/messages:send',
    payload: usual({}),
  },
  {
    what: 'the longest lifetime that Huawei accepts',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    payload: usual({}),
    pushOptions: { ...options, ttl: 1_296_000 },
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    payload: usual({}),
    pushOptions: { ...options, ttl: 1 },
  },
];

/** The options of a golden that does not list any. */
export const usualOptions = options;

/** The request that recalls the notification of a task. */
export const recall = {
  taskId: 4_503_599_627_370_497n,
  path: '/v1/10086001/messages:revoke',
  headers: headersFor(0),
  body: '{"notifyId":2097154,"token":["t1","t2"]}',
};
