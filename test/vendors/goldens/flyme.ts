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

const ids = { mid: '4503599627370497', reference: '4503599627370497.1.9' };
const texts = { title: 'Ding', body: 'dong' };
const bar = { noticeMsgType: 0, noticeBarType: 0, title: 'Ding', content: 'dong' };
const advance = { notificationType: { vibrate: 1, lights: 1, sound: 1 }, notifyKey: 'WmD2x91I' };
const image = 'https://example.com/a.png';
const callback = 'https://push.example.com/callback/flyme/x';

/** `messageJson` for a text. */
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
  /** Parameters besides. */
  readonly more?: object;
}

export const goldens: readonly Golden[] = [
  { what: 'a text', message: texts, messageJson: usualBody },
  {
    what: 'a text without a title, whose beginning is the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    messageJson: withBar({ title: `${'dong '.repeat(6)}d…`, content: `${'dong '.repeat(8)}dong` }),
  },
  {
    what: 'a title without a text, which says the same',
    message: { title: 'Ding' },
    messageJson: withBar({ content: 'Ding' }),
  },
  {
    what: 'a title and a text that are as long as they may be, in characters beyond 16 bits',
    message: { title: '🔔'.repeat(32), body: '钟'.repeat(100) },
    messageJson: withBar({ title: '🔔'.repeat(32), content: '钟'.repeat(100) }),
  },
  {
    what: 'a title and a text that are too long, cut between characters as a reader sees them',
    message: { title: `${'a'.repeat(30)}👩‍👩‍👧!`, body: `${'钟'.repeat(98)}🇩🇪🇩🇪` },
    messageJson: withBar({ title: `${'a'.repeat(30)}…`, content: `${'钟'.repeat(98)}…` }),
  },
  {
    what: 'a large text',
    message: { ...texts, big_text: 'dong dong dong' },
    messageJson: { ...usualBody, ...withLargeText('dong dong dong') },
  },
  {
    what: 'a large text alone, which is the text',
    message: { title: 'Ding', big_text: 'dong dong dong' },
    messageJson: withBar({ content: 'dong dong dong' }),
  },
  {
    what: 'a large text alone that is longer than a text, and longer than a large text',
    message: { title: 'Ding', big_text: 'x'.repeat(1_001) },
    messageJson: { ...withBar({ content: `${'x'.repeat(99)}…` }), ...withLargeText(`${'x'.repeat(999)}…`) },
  },
  {
    what: 'an image, which only the app sees',
    message: { type: 'image', ...texts, attachment_url: image },
    messageJson: withParameters({ attachment_url: image }),
  },
  {
    what: 'ext, whose integers keep their digits',
    message: { ...texts, ext: { id: 9_223_372_036_854_775_807n, to: 'a"b' } },
    messageJson: withParameters({ ext: '{"id":9223372036854775807,"to":"a\\"b"}' }),
  },
  {
    what: 'no ext, if it does not fit',
    message: { ...texts, attachment_url: image, ext: { x: 'x'.repeat(1_000) } },
    messageJson: withParameters({ attachment_url: image }),
  },
  {
    what: 'neither ext nor attachment, if that does not fit',
    message: { ...texts, attachment_url: `https://example.com/${'a'.repeat(1_000)}`, ext: { x: 'x' } },
    messageJson: usualBody,
  },
  {
    what: 'silence, and a page with its extras, where its own object beats that for all phones',
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
    what: 'a private message, if the certificate says so',
    message: texts,
    account: { certificate: '{"notice_msg_type":1}' },
    messageJson: withBar({ noticeMsgType: 1 }),
  },
  {
    what: 'the packages of the certificate, signed too',
    message: texts,
    account: { certificate: '{"package_names":["com.example","com.example.lite"],"vip":true}' },
    messageJson: usualBody,
    more: { restrictedPackageNames: 'com.example,com.example.lite' },
  },
  {
    what: 'where it is to be told that it has arrived',
    message: texts,
    notification: { callbackUrl: callback },
    messageJson: {
      ...usualBody,
      extra: { callback, 'callback.param': '4503599627370497.1.9', 'callback.type': '3' },
    },
  },
  {
    what: 'nothing of an address that is too long for Meizu',
    message: texts,
    notification: { callbackUrl: `https://push.example.com/${'x'.repeat(104)}` },
    messageJson: usualBody,
  },
  {
    what: 'the whole hours that are left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 2.9 * HOUR_MS) },
    messageJson: withHours(2),
  },
  {
    what: 'the longest time that Meizu keeps anything',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    messageJson: withHours(72),
  },
  {
    what: 'the shortest time, when there is hardly any left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    messageJson: withHours(1),
  },
];
