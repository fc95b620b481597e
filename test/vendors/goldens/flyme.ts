import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '100999',
  appKey: 'demo-key',
  appSecret: 'demoMeizuSecret',
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

const ids = { mid: '4503599627370497', reference: '4503599627370497.1.9', badge: '+1' };
const texts = { title: 'Ding', body: 'dong' };
const bar = { noticeMsgType: 0, noticeBarType: 0, title: 'Ding', content: 'dong' };
const advance = { notificationType: { vibrate: 1, lights: 1, sound: 1 }, notifyKey: 'WmD2x91I' };
const image = 'https://example.com/a.png';
const callback = 'https://push.example.com/callback/flyme/x';

/** `messageJson` of a notification that has only a title and a body. */
export const usualBody = {
  noticeBarInfo: bar,
  clickTypeInfo: { clickType: 0, parameters: ids },
  pushTimeInfo: { offLine: 1, validTime: 1 },
  advanceInfo: advance,
};
const withParameters = (more: object) => ({
  ...usualBody,
  clickTypeInfo: { clickType: 0, parameters: { ...ids, ...more } },
});
const withBar = (change: object) => ({ ...usualBody, noticeBarInfo: { ...bar, ...change } });
const withHours = (validTime: number) => ({ ...usualBody, pushTimeInfo: { offLine: 1, validTime } });
const withLargeText = (noticeExpandContent: string) => ({
  noticeExpandInfo: { noticeExpandType: 1, noticeExpandContent },
});

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly notification?: Partial<Notification>;
  readonly account?: Partial<VendorAccount>;
  readonly messageJson: object;
  /** Additional parameters. */
  readonly more?: object;
}

export const goldens: readonly Golden[] = [
  { what: 'title and body', message: texts, messageJson: usualBody },
  {
    what: 'a body without a title; the beginning of the body becomes the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    messageJson: withBar({ title: `${'dong '.repeat(6)}d…`, content: `${'dong '.repeat(8)}dong` }),
  },
  {
    what: 'a title without a body; the title becomes the body',
    message: { title: 'Ding' },
    messageJson: withBar({ content: 'Ding' }),
  },
  {
    what: 'a title and a body of the maximum length, with characters outside the Basic Multilingual Plane',
    message: { title: '🔔'.repeat(32), body: '钟'.repeat(100) },
    messageJson: withBar({ title: '🔔'.repeat(32), content: '钟'.repeat(100) }),
  },
  {
    what: 'a title and a body that are too long, cut between grapheme clusters',
    message: { title: `${'a'.repeat(30)}👩‍👩‍👧!`, body: `${'钟'.repeat(98)}🇩🇪🇩🇪` },
    messageJson: withBar({ title: `${'a'.repeat(30)}…`, content: `${'钟'.repeat(98)}…` }),
  },
  {
    what: 'big_text',
    message: { ...texts, big_text: 'dong dong dong' },
    messageJson: { ...usualBody, ...withLargeText('dong dong dong') },
  },
  {
    what: 'big_text without a body; big_text becomes the body',
    message: { title: 'Ding', big_text: 'dong dong dong' },
    messageJson: withBar({ content: 'dong dong dong' }),
  },
  {
    what: 'big_text without a body that exceeds both limits',
    message: { title: 'Ding', big_text: 'x'.repeat(1_001) },
    messageJson: { ...withBar({ content: `${'x'.repeat(99)}…` }), ...withLargeText(`${'x'.repeat(999)}…`) },
  },
  {
    what: 'an image, only for the app',
    message: { type: 'image', ...texts, attachment_url: image },
    messageJson: withParameters({ attachment_url: image }),
  },
  {
    what: 'ext with all digits of its integers',
    message: { ...texts, ext: { id: 9_223_372_036_854_775_807n, to: 'a"b' } },
    messageJson: withParameters({ ext: '{"id":9223372036854775807,"to":"a\\"b"}' }),
  },
  {
    what: 'no ext if it does not fit',
    message: { ...texts, attachment_url: image, ext: { x: 'x'.repeat(4_000) } },
    messageJson: withParameters({ attachment_url: image }),
  },
  {
    what: 'the badge only for the app',
    message: { ...texts, badge: '7' },
    messageJson: withParameters({ badge: '7' }),
  },
  {
    what: 'ext, but no attachment if it does not fit',
    message: { ...texts, attachment_url: `https://example.com/${'a'.repeat(1_000)}`, ext: { x: 'x' } },
    messageJson: { ...usualBody, clickTypeInfo: { clickType: 0, parameters: { ...ids, ext: '{"x":"x"}' } } },
  },
  {
    what: 'no sound, and an intent with extras, where flyme overrides android',
    message: {
      ...texts,
      android: { sound: 'bell', click_action: 'open_app', channel_id: 'all' },
      flyme: {
        sound: 'none',
        click_action: 'intent',
        intent: 'intent:#Intent;action=a.b;component=com.example/.Page;S.room=a%20b%3B;i.floor=7;S.mid=1;end',
      },
    },
    messageJson: {
      ...usualBody,
      clickTypeInfo: {
        clickType: 1,
        activity: 'com.example.Page',
        parameters: { room: 'a b;', floor: '7', ...ids },
      },
      advanceInfo: { ...advance, notificationType: { vibrate: 1, lights: 1, sound: 0 } },
    },
  },
  {
    what: 'a private message if the credentials set notice_msg_type to 1',
    message: texts,
    account: { certificate: '{"notice_msg_type":1}' },
    messageJson: withBar({ noticeMsgType: 1 }),
  },
  {
    what: 'the package names in the credentials, which are also signed',
    message: texts,
    account: { certificate: '{"package_names":["com.example","com.example.lite"],"vip":true}' },
    messageJson: usualBody,
    more: { restrictedPackageNames: 'com.example,com.example.lite' },
  },
  {
    what: 'the callback URL for receipts',
    message: texts,
    notification: { callbackUrl: callback },
    messageJson: {
      ...usualBody,
      extra: { callback, 'callback.param': '4503599627370497.1.9', 'callback.type': '3' },
    },
  },
  {
    what: 'no callback URL if it is too long for Meizu',
    message: texts,
    notification: { callbackUrl: `https://push.example.com/${'x'.repeat(104)}` },
    messageJson: usualBody,
  },
  {
    what: 'the remaining whole hours',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 2.9 * HOUR_MS) },
    messageJson: withHours(2),
  },
  {
    what: 'the longest lifetime that Meizu accepts',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    messageJson: withHours(72),
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    messageJson: withHours(1),
  },
  {
    what: 'the time in which the phone shows the notification, in Beijing time',
    message: { ...texts, show_end_time: 1_794_762_000n },
    notification: { notAfter: new Date('2026-11-15T17:00:00Z') },
    messageJson: {
      ...withHours(4),
      advanceInfo: {
        ...advance,
        fixDisplay: 1,
        fixStartDisplayTime: '2026-11-15 20:00:00',
        fixEndDisplayTime: '2026-11-16 01:00:00',
      },
    },
  },
];
