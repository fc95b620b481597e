import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '10086001',
  appKey: '',
  appSecret: 'secret',
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

export const headers = { authorization: 'Bearer granted', 'content-type': 'application/json;charset=UTF-8' };
export const ids = '"mid":"4503599627370497","reference":"4503599627370497.1.9","badge":"+1"';
const dataWithBadge = (badge: string) => `{${ids.replace('+1', badge)}}`;
const config = { ttl: '3600s', bi_tag: '4503599627370497.1.9' };
const open = { click_action: { type: 3 } };
/** The task ID, and the number that is derived from it. */
const collapse = { tag: '4503599627370497', notify_id: 2_097_154 };
const usualNotification = { default_sound: true, ...open, ...collapse };
const intent = 'intent:#Intent;component=com.example/com.example.Page;S.room=7;end';
/** With two more extras, so that the app can report the tap. */
const sentIntent =
  'intent:#Intent;component=com.example/com.example.Page;S.room=7;S.mid=4503599627370497;S.reference=4503599627370497.1.9;end';
const image = 'https://example.com/a.png';

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
  {
    what: 'title and body',
    message: { title: 'Ding', body: 'dong' },
    android: { ...config, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
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
    what: 'big_text',
    message: { title: 'Ding', body: 'dong', big_text: 'dong dong dong' },
    android: {
      ...config,
      notification: {
        title: 'Ding',
        body: 'dong',
        style: 1,
        big_title: 'Ding',
        big_body: 'dong dong dong',
        ...usualNotification,
      },
    },
  },
  {
    what: 'an image',
    message: { type: 'image', title: 'Ding', body: 'dong', attachment_url: image },
    data: `{${ids},"attachment_url":"${image}"}`,
    android: { ...config, notification: { title: 'Ding', body: 'dong', image, ...usualNotification } },
  },
  {
    what: 'an image without https, only for the app',
    message: { type: 'image', title: 'Ding', body: 'dong', attachment_url: 'http://example.com/a.png' },
    data: `{${ids},"attachment_url":"http://example.com/a.png"}`,
    android: { ...config, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'a body with an audio file, which is not used as an image',
    message: { title: 'Ding', body: 'dong', attachment_url: 'https://example.com/a.mp3' },
    data: `{${ids},"attachment_url":"https://example.com/a.mp3"}`,
    android: { ...config, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'a data-only message and ext with all digits of its integers',
    message: { type: 'cmd', title: 'sync', body: 'now', ext: { id: 9_223_372_036_854_775_807n, to: 'a"b' } },
    data: `{${ids},"title":"sync","body":"now","ext":"{\\"id\\":9223372036854775807,\\"to\\":\\"a\\\\\\"b\\"}"}`,
    android: config,
  },
  {
    what: 'no ext if it does not fit',
    message: { title: 'Ding', body: 'dong', ext: { x: 'x'.repeat(4_000) } },
    android: { ...config, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'a data-only message with big_text',
    message: { type: 'cmd', title: 'sync', body: 'now', big_text: 'right now' },
    data: `{${ids},"title":"sync","body":"now","big_text":"right now"}`,
    android: config,
  },
  {
    what: 'a data-only message with the class of the message',
    message: { type: 'cmd', huawei: { category: 'PLAY_VOICE', sound: 'bell' } },
    account: { certificate: '{"category":"IM","importance":"LOW"}' },
    android: { ...config, category: 'PLAY_VOICE' },
  },
  {
    what: 'a data-only message without a class, even if the credentials have one',
    message: { type: 'cmd' },
    account: { certificate: '{"category":"IM","importance":"LOW"}' },
    android: config,
  },
  {
    what: 'a badge that is set, up to the maximum that launchers display',
    message: { title: 'Ding', body: 'dong', badge: '100', huawei: { badge_class: 'com.example.Main' } },
    data: dataWithBadge('100'),
    android: {
      ...config,
      notification: {
        title: 'Ding',
        body: 'dong',
        default_sound: true,
        ...open,
        badge: { set_num: 99, class: 'com.example.Main' },
        ...collapse,
      },
    },
  },
  {
    what: 'a cleared badge',
    message: { title: 'Ding', body: 'dong', badge: '0', huawei: { badge_class: 'com.example.Main' } },
    data: dataWithBadge('0'),
    android: {
      ...config,
      notification: {
        title: 'Ding',
        body: 'dong',
        default_sound: true,
        ...open,
        badge: { set_num: 0, class: 'com.example.Main' },
        ...collapse,
      },
    },
  },
  {
    what: 'an incremented badge',
    message: { title: 'Ding', body: 'dong', badge: '+3', huawei: { badge_class: 'com.example.Main' } },
    data: dataWithBadge('+3'),
    android: {
      ...config,
      notification: {
        title: 'Ding',
        body: 'dong',
        default_sound: true,
        ...open,
        badge: { add_num: 3, class: 'com.example.Main' },
        ...collapse,
      },
    },
  },
  {
    what: 'no badge if it is incremented by zero',
    message: { title: 'Ding', body: 'dong', badge: '+0', huawei: { badge_class: 'com.example.Main' } },
    data: dataWithBadge('+0'),
    android: { ...config, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'sound, channel and intent, where huawei overrides android',
    message: {
      title: 'Ding',
      body: 'dong',
      android: { sound: 'bell.mp3', channel_id: 'all', click_action: 'open_app' },
      huawei: { channel_id: 'own', click_action: 'intent', intent },
    },
    android: {
      ...config,
      notification: {
        title: 'Ding',
        body: 'dong',
        default_sound: false,
        sound: '/raw/bell',
        channel_id: 'own',
        click_action: { type: 1, intent: sentIntent },
        ...collapse,
      },
    },
  },
  {
    what: 'a sound that is given as a path',
    message: { title: 'Ding', body: 'dong', android: { sound: '/raw/bell' } },
    android: {
      ...config,
      notification: { title: 'Ding', body: 'dong', default_sound: false, sound: '/raw/bell', ...open, ...collapse },
    },
  },
  {
    what: 'silence',
    message: { title: 'Ding', body: 'dong', android: { sound: 'none' } },
    android: { ...config, notification: { title: 'Ding', body: 'dong', default_sound: false, ...open, ...collapse } },
  },
  {
    what: 'the class and importance in the credentials',
    message: { title: 'Ding', body: 'dong' },
    account: { certificate: '{"category":"IM","importance":"LOW"}' },
    android: {
      ...config,
      category: 'IM',
      notification: { title: 'Ding', body: 'dong', default_sound: true, importance: 'LOW', ...open, ...collapse },
    },
  },
  {
    what: 'the class of the message',
    message: { title: 'Ding', body: 'dong', huawei: { category: 'TRAVEL' } },
    account: { certificate: '{"category":"IM"}' },
    android: { ...config, category: 'TRAVEL', notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'a test message for a development token',
    message: { title: 'Ding', body: 'dong' },
    account: { environment: 0 },
    android: { ...config, target_user_type: 1, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'the path with a project id',
    message: { title: 'Ding', body: 'dong' },
    account: { appKey: '7361/x' },
    path: '/v2/7361%2Fx/messages:send',
    android: { ...config, notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'the longest lifetime that Huawei accepts',
    message: { title: 'Ding', body: 'dong' },
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    android: { ...config, ttl: '1296000s', notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: { title: 'Ding', body: 'dong' },
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    android: { ...config, ttl: '1s', notification: { title: 'Ding', body: 'dong', ...usualNotification } },
  },
];

/** The request that recalls the notification of a task. */
export const recall = {
  taskId: 4_503_599_627_370_497n,
  path: '/v1/10086001/messages:revoke',
  headers: { ...headers, 'push-type': '0' },
  body: '{"notifyId":2097154,"token":["t1","t2"]}',
};
