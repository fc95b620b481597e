import { good, goodMessage, NOTIFY, notify, stored, storedMessage, withMessage } from './push-notify.ts';
import {
  blanks,
  DAY,
  type Expect,
  type FromContext,
  fieldRows,
  INT64_MAX,
  INT64_MIN,
  imageAt,
  inSeconds,
  MEGABYTE,
  notObject,
  ok,
  type Row,
  refused,
  row,
} from './row.ts';

/** Returns a call whose JSON is given as a string, so that Carillon's code does not encode it. */
const withExt = (ext: string) => ({
  path: NOTIFY,
  text: `{"audience":{"user_id":[7]},"message":{"title":"Title","body":"hello","ext":${ext}}}`,
});
const ext = (kind: Row['kind'], rule: string, texts: readonly string[], expect: (text: string) => Expect): Row => ({
  rule: `${NOTIFY} body.message.ext ${rule}`,
  path: `${NOTIFY} body.message.ext`,
  kind,
  cases: texts.map((text) => ({ call: withExt(text), expect: expect(text) })),
});
/** Expects the stored message to contain `ext` unchanged, with every digit. */
const keptText = (text: string): Expect =>
  stored({ message: { ...storedMessage, ext: EXACT[text] ?? JSON.parse(text) } });
const EXACT: Readonly<Record<string, unknown>> = {
  '{"id":9223372036854775807}': { id: INT64_MAX },
  '{"id":-9223372036854775808}': { id: INT64_MIN },
  '{"id":9007199254740993}': { id: 9_007_199_254_740_993n },
  '{"ids":[[9007199254740993,1]],"deep":{"id":9007199254740995}}': {
    ids: [[9_007_199_254_740_993n, 1]],
    deep: { id: 9_007_199_254_740_995n },
  },
};

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{"a":1}${'}'.repeat(depth - 1)}`;
const nestedLists = (depth: number) => `{"a":${'['.repeat(depth - 1)}1${']'.repeat(depth - 1)}}`;
/** Returns two objects whose JSON has this many bytes: one with one-byte characters, one with three-byte characters. */
const sized = (bytes: number) => [
  `{"a":"${'x'.repeat(bytes - 8)}"}`,
  `{"a":"${'标'.repeat((bytes - 8) / 3)}${'x'.repeat((bytes - 8) % 3)}"}`,
];

const extRows: readonly Row[] = [
  ...fieldRows(
    { path: NOTIFY, body: good, taken: () => ok, blank: () => stored({ message: storedMessage }) },
    {
      name: 'message.ext',
      takes: { 'an object': [{ a: 1 }] },
      refuses: { 'a value that is not an object': [10002, ...notObject] },
    },
  ),
  ext(
    'legal',
    'keeps every digit of an int64 at any depth',
    [
      '{"id":9223372036854775807}',
      '{"id":-9223372036854775808}',
      '{"id":9007199254740993}',
      '{"ids":[[9007199254740993,1]],"deep":{"id":9007199254740995}}',
    ],
    keptText,
  ),
  ext('legal', 'keeps blank values inside ext', ['{"a":"","b":null,"c":[],"d":{},"e":" ","f":[null,""]}'], keptText),
  ext(
    'legal',
    'keeps fractions, booleans and strings',
    ['{"f":0.1,"t":true,"s":"\\u0000\\ud83d\\ude00","n":-1.5e-7}'],
    keptText,
  ),
  ext(
    'legal',
    'keeps fields with the names of message fields',
    ['{"title":"","type":"x","task_id":1,"message_id":2}'],
    keptText,
  ),
  ext('legal', 'accepts 8 levels', [nested(8), nestedLists(8)], keptText),
  ext('illegal', 'rejects 9 levels: 12009', [nested(9), nestedLists(9)], () => refused(12009, /ext/)),
  ext('illegal', 'rejects 500 levels: 12009', [nested(500)], () => refused(12009)),
  ext('legal', 'accepts 4,096 bytes', sized(4_096), keptText),
  ext('illegal', 'rejects 4,097 bytes: 12009', sized(4_097), () => refused(12009, /ext/)),
  ext(
    'illegal',
    'rejects a key that would change the prototype: 10002',
    [
      '{"__proto__":{"a":1}}',
      '{"a":{"__proto__":1}}',
      '{"a":[{"__proto__":null}]}',
      '{"\\u005f_proto__":{}}',
      '{"constructor":{"prototype":{}}}',
      '{"id":9007199254740993,"__proto__":{}}',
    ],
    () => refused(10002),
  ),
  ext(
    'legal',
    'accepts keys with similar names',
    ['{"constructor":"a","prototype":{"b":1},"proto":1,"hasOwnProperty":1}'],
    keptText,
  ),
];

const times = (rule: string, message: Readonly<Record<string, unknown>>, expect: Expect): Row =>
  row(
    'rule',
    `${NOTIFY} body.message.show_begin_time`,
    `times: ${rule}`,
    withMessage({ ...goodMessage, ...message }),
    expect,
  );
const held = (due: FromContext | 'now', end: FromContext | 'a day later', message: object = {}): Expect =>
  stored({ message: { ...storedMessage, ...message }, due, end });
const tomorrow = inSeconds(DAY);
/** One second below the limit, because the clock of the service can be slightly behind the clock of the test. */
const inThirtyDays = inSeconds(30 * DAY - 1);

const timeRows: readonly Row[] = [
  row(
    'legal',
    `${NOTIFY} body.message.show_begin_time`,
    `${NOTIFY} body.message.show_begin_time delays the task until that time`,
    withMessage({ ...goodMessage, show_begin_time: tomorrow }),
    held(tomorrow, 'a day later', { show_begin_time: tomorrow }),
  ),
  row(
    'legal',
    `${NOTIFY} body.message.show_end_time`,
    `${NOTIFY} body.message.show_end_time sets the end of the task`,
    withMessage({ ...goodMessage, show_end_time: tomorrow }),
    held('now', tomorrow, { show_end_time: tomorrow }),
  ),
  times(
    'a begin time and an end time set the start and the end of the task',
    { show_begin_time: inSeconds(600), show_end_time: inSeconds(1_200) },
    held(inSeconds(600), inSeconds(1_200), { show_begin_time: inSeconds(600), show_end_time: inSeconds(1_200) }),
  ),
  times(
    'a begin time 30 days ahead is accepted',
    { show_begin_time: inThirtyDays },
    held(inThirtyDays, 'a day later', { show_begin_time: inThirtyDays }),
  ),
  times(
    'a begin time more than 30 days ahead is rejected: 12010',
    { show_begin_time: inSeconds(30 * DAY + 60) },
    refused(12010),
  ),
  times(
    'a begin time in milliseconds is rejected, because it is too far ahead: 12010',
    { show_begin_time: 1_800_000_000_000 },
    refused(12010),
  ),
  times('the largest int64 is rejected as a begin time: 12010', { show_begin_time: INT64_MAX }, refused(12010)),
  times(
    'a task with a begin time in the past is due immediately',
    { show_begin_time: inSeconds(-600) },
    held('now', 'a day later', { show_begin_time: inSeconds(-600) }),
  ),
  times(
    'a task with a begin time one second ago is due immediately',
    { show_begin_time: inSeconds(-1) },
    held('now', 'a day later', { show_begin_time: inSeconds(-1) }),
  ),
  times('an end time one second ago is rejected: 12010', { show_end_time: inSeconds(-1) }, refused(12010)),
  times('an end time in the past is rejected: 12010', { show_end_time: inSeconds(-60) }, refused(12010)),
  times('an end time of zero is rejected: 12010', { show_end_time: 0 }, refused(12010)),
  times('the largest int64 is rejected as an end time: 12010', { show_end_time: INT64_MAX }, refused(12010)),
  times(
    'an end time equal to the begin time is rejected: 12010',
    { show_begin_time: inSeconds(600), show_end_time: inSeconds(600) },
    refused(12010),
  ),
  times(
    'an end time one second before the begin time is rejected: 12010',
    { show_begin_time: inSeconds(600), show_end_time: inSeconds(599) },
    refused(12010),
  ),
  times(
    'an end time one second after the begin time is accepted',
    { show_begin_time: inSeconds(600), show_end_time: inSeconds(601) },
    held(inSeconds(600), inSeconds(601), { show_begin_time: inSeconds(600), show_end_time: inSeconds(601) }),
  ),
  times(
    'an end time 30 days after the begin time is accepted',
    { show_begin_time: inSeconds(600), show_end_time: inSeconds(600 + 30 * DAY) },
    held(inSeconds(600), inSeconds(600 + 30 * DAY), {
      show_begin_time: inSeconds(600),
      show_end_time: inSeconds(600 + 30 * DAY),
    }),
  ),
  times(
    'an end time more than 30 days after the begin time is rejected: 12010',
    { show_begin_time: inSeconds(600), show_end_time: inSeconds(601 + 30 * DAY) },
    refused(12010),
  ),
];

const image = (rule: string, urls: readonly unknown[], expect: (url: unknown) => Expect): Row => ({
  rule: `images: ${rule}`,
  path: `${NOTIFY} body.message.attachment_url`,
  kind: 'rule',
  cases: urls.map((attachment_url) => ({
    call: notify({ ...good, message: { type: 'image', body: 'b', attachment_url } }),
    expect: expect(attachment_url),
  })),
});
const asImage = (attachment_url: unknown): Expect =>
  stored({ message: { type: 'image', badge: '+1', body: 'b', attachment_url } });

/**
 * The image URLs in these rows have internal addresses. The service sends no requests to them, so the sizes are unknown
 * and the images are accepted.
 */
const imageRows: readonly Row[] = [
  row(
    'legal',
    `${NOTIFY} body.message.type`,
    `${NOTIFY} body.message.type accepts image with the URL of an image`,
    withMessage({ type: 'image', attachment_url: 'https://10.0.0.1/a.png' }),
    stored({ message: { type: 'image', badge: '+1', attachment_url: 'https://10.0.0.1/a.png' } }),
  ),
  image(
    'a URL whose path ends in .jpg, .jpeg or .png is accepted',
    ['https://10.0.0.1/a.jpg', 'https://10.0.0.1/a.jpeg', 'http://10.0.0.1/b/a.png'],
    asImage,
  ),
  image(
    'the extension is not case-sensitive',
    ['https://10.0.0.1/A.JPG', 'https://10.0.0.1/a.JpEg', 'https://10.0.0.1/a.PNG'],
    asImage,
  ),
  image(
    'a query or fragment after the path is ignored',
    ['https://10.0.0.1/a.jpg?size=1', 'https://10.0.0.1/a.png#x'],
    asImage,
  ),
  image(
    'another extension is rejected: 10002',
    [
      'https://10.0.0.1/a.gif',
      'https://10.0.0.1/a',
      'https://10.0.0.1/a.jpg/',
      'https://10.0.0.1/a.jpgx',
      'https://10.0.0.1/jpg',
    ],
    () => refused(10002, /attachment_url/),
  ),
  image(
    'an extension that is only in the query or fragment is rejected: 10002',
    ['https://10.0.0.1/a.gif?x=.jpg', 'https://10.0.0.1/a#.png'],
    () => refused(10002, /attachment_url/),
  ),
  image(
    'a value that is not an HTTP or HTTPS URL is rejected: 10002',
    ['a.jpg', '/a.jpg', 'ftp://10.0.0.1/a.jpg', 'file:///a.jpg', 'javascript:a.jpg', 'https:///'],
    () => refused(10002, /attachment_url/),
  ),
  image('a message with a blank URL is sent as text', blanks, () =>
    stored({ message: { type: 'text', badge: '+1', body: 'b' } }),
  ),
  {
    rule: 'images: these rules apply only to the type image',
    path: `${NOTIFY} body.message.attachment_url`,
    kind: 'rule',
    cases: ['text', 'cmd'].map((type) => ({
      call: withMessage({ type, attachment_url: 'https://10.0.0.1/a.gif' }),
      expect: stored({ message: { type, badge: '+1', attachment_url: 'https://10.0.0.1/a.gif' } }),
    })),
  },
  image(
    'no request is sent to an internal address, and the message is accepted',
    ['http://127.0.0.1:9/a.png', 'http://localhost:9/a.png', 'http://[::1]:9/a.png', 'http://169.254.169.254/a.png'],
    asImage,
  ),
];

/** These rows run on a separate service, which can send requests to the image host of the test. */
export const pushNotifyImageSizeGroup: readonly Row[] = [
  image('one byte under 1 MB is accepted', [imageAt(`/${MEGABYTE - 1}.png`)], asImage),
  image('1 MB is rejected: 12002', [imageAt(`/${MEGABYTE}.png`)], () => refused(12002)),
  image('more than 1 MB is rejected: 12002', [imageAt(`/${50 * MEGABYTE}.jpg`)], () => refused(12002)),
  image('an image of unknown size is accepted', [imageAt('/untold.png')], asImage),
  image('a missing image is accepted', [imageAt('/missing.png')], asImage),
  image('a redirect is not followed, and the image is accepted', [imageAt('/moved.png')], asImage),
  image('an image is accepted if its host closes the connection', [imageAt('/hang-up.png')], asImage),
  image('an image is accepted after 3 s if its host does not respond', [imageAt('/silent.png')], asImage),
];

export const pushNotifyRuleGroup: readonly Row[] = [...extRows, ...timeRows, ...imageRows];
