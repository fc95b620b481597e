import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '104410001',
  appKey: 'client-1',
  appSecret: 'a+b&c=d/é',
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

export const headers = {
  authorization: 'Bearer granted',
  timestamp: '1794744000400',
  'content-type': 'application/json; charset=UTF-8',
};
export const ids = '"mid":"4503599627370497","reference":"4503599627370497.1.9","badge":"+1"';
const config = { ttl: '3600s', biTag: '4503599627370497.1.9' };
const texts = { title: 'Ding', body: 'dong' };
const tag = '4503599627370497';
const open = { clickAction: { type: 3 } };
const usualNotification = { importance: 'NORMAL', ...open, tag };
const intent = 'intent:#Intent;component=com.example/com.example.Page;S.room=7;end';
/** With two more extras, so that the app can report the tap. */
const sentIntent =
  'intent:#Intent;component=com.example/com.example.Page;S.room=7;S.mid=4503599627370497;S.reference=4503599627370497.1.9;end';
const image = 'https://example.com/a.png';
const dataWithBadge = (badge: string) => `{${ids.replace('+1', badge)}}`;
const badgeClass = 'com.example.Main';
export const withBadge = (badge: string) => ({ ...texts, badge, honor: { badge_class: badgeClass } });

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly notification?: Partial<Notification>;
  readonly account?: Partial<VendorAccount>;
  readonly path?: string;
  readonly data?: string;
  readonly android: object;
}

export const goldens: readonly Golden[] = [
  { what: 'title and body', message: texts, android: { ...config, notification: { ...texts, ...usualNotification } } },
  {
    what: 'a body without a title; the beginning of the body becomes the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    android: {
      ...config,
      notification: { title: `${'dong '.repeat(7)}dong…`, body: `${'dong '.repeat(8)}dong`, ...usualNotification },
    },
  },
  {
    what: 'a title without a body; the title becomes the body',
    message: { title: 'Ding' },
    android: { ...config, notification: { title: 'Ding', body: 'Ding', ...usualNotification } },
  },
  {
    what: 'big_text, collapsed and expanded',
    message: { ...texts, big_text: 'dong dong' },
    android: {
      ...config,
      notification: {
        title: 'Ding',
        body: 'dong dong',
        style: 1,
        bigTitle: 'Ding',
        bigBody: 'dong dong',
        ...usualNotification,
      },
    },
  },
  {
    what: 'an image',
    message: { ...texts, type: 'image', attachment_url: image },
    data: `{${ids},"attachment_url":"${image}"}`,
    android: { ...config, notification: { ...texts, image, ...usualNotification } },
  },
  {
    what: 'an image without https, only for the app',
    message: { ...texts, type: 'image', attachment_url: 'http://example.com/a.png' },
    data: `{${ids},"attachment_url":"http://example.com/a.png"}`,
    android: { ...config, notification: { ...texts, ...usualNotification } },
  },
  {
    what: 'a body with an audio file, which is not used as an image',
    message: { ...texts, attachment_url: 'https://example.com/a.mp3' },
    data: `{${ids},"attachment_url":"https://example.com/a.mp3"}`,
    android: { ...config, notification: { ...texts, ...usualNotification } },
  },
  {
    what: 'a data-only message and ext with all digits of its integers',
    message: { type: 'cmd', title: 'sync', body: 'now', ext: { id: 9_223_372_036_854_775_807n } },
    data: `{${ids},"title":"sync","body":"now","ext":"{\\"id\\":9223372036854775807}"}`,
    android: config,
  },
  {
    what: 'no ext if it does not fit',
    message: { ...texts, ext: { x: 'x'.repeat(4_000) } },
    android: { ...config, notification: { ...texts, ...usualNotification } },
  },
  {
    what: 'a data-only test message',
    message: { type: 'cmd', honor: { category: 'LOW' } },
    account: { environment: 0 },
    android: { ...config, targetUserType: 1 },
  },
  {
    what: 'a badge that is set, up to the maximum that launchers display',
    message: withBadge('100'),
    data: dataWithBadge('100'),
    android: {
      ...config,
      notification: { ...texts, importance: 'NORMAL', ...open, badge: { setNum: 99, badgeClass }, tag },
    },
  },
  {
    what: 'a cleared badge',
    message: withBadge('0'),
    data: dataWithBadge('0'),
    android: {
      ...config,
      notification: { ...texts, importance: 'NORMAL', ...open, badge: { setNum: 0, badgeClass }, tag },
    },
  },
  {
    what: 'an incremented badge',
    message: withBadge('+3'),
    data: dataWithBadge('+3'),
    android: {
      ...config,
      notification: { ...texts, importance: 'NORMAL', ...open, badge: { addNum: 3, badgeClass }, tag },
    },
  },
  {
    what: 'no badge if it is incremented by zero',
    message: withBadge('+0'),
    data: dataWithBadge('+0'),
    android: { ...config, notification: { ...texts, ...usualNotification } },
  },
  {
    what: 'the intent in honor, which overrides the intent in android, and neither a sound nor a channel',
    message: {
      ...texts,
      android: { sound: 'bell.mp3', channel_id: 'all', click_action: 'open_app' },
      honor: { sound: 'own', channel_id: 'own', click_action: 'intent', intent },
    },
    android: {
      ...config,
      notification: { ...texts, importance: 'NORMAL', clickAction: { type: 1, intent: sentIntent }, tag },
    },
  },
  {
    what: 'the intent in android',
    message: { ...texts, android: { click_action: 'intent', intent } },
    android: {
      ...config,
      notification: { ...texts, importance: 'NORMAL', clickAction: { type: 1, intent: sentIntent }, tag },
    },
  },
  {
    what: 'the importance in the credentials',
    message: { ...texts, honor: { category: 'IM' } },
    account: { certificate: '{"importance":"LOW"}' },
    android: { ...config, notification: { ...texts, importance: 'LOW', ...open, tag } },
  },
  {
    what: 'the importance in the message',
    message: { ...texts, honor: { category: 'LOW' } },
    account: { certificate: '{"importance":"NORMAL"}' },
    android: { ...config, notification: { ...texts, importance: 'LOW', ...open, tag } },
  },
  {
    what: 'a test message for a development token',
    message: texts,
    account: { environment: 0, vendorAppId: '1/2' },
    path: '/api/v1/1%2F2/sendMessage',
    android: { ...config, targetUserType: 1, notification: { ...texts, ...usualNotification } },
  },
  {
    what: 'the longest lifetime that Honor accepts',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    android: { ...config, ttl: '1296000s', notification: { ...texts, ...usualNotification } },
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    android: { ...config, ttl: '1s', notification: { ...texts, ...usualNotification } },
  },
];
