import { good, goodMessage, NOTIFY, notify, stored, storedMessage, withMessage } from './push-notify.ts';
import {
  blanks,
  type Expect,
  type Field,
  fieldRows,
  notBoolean,
  notInt64,
  notInteger,
  notObject,
  notText,
  type Row,
  refused,
  row,
  withField,
} from './row.ts';

const about = `${NOTIFY} body.message`;

/** An accepted value is stored without changes, in addition to the existing fields of the message. */
const accepted = (base: object) => (name: string, value: unknown) =>
  stored({ message: withField({ message: base }, name, value).message });
/** A blank value is stored as its default, or not at all. */
const unchanged = (base: object) => (): Expect => stored({ message: base });

const topFields: readonly Field[] = [
  {
    name: 'message.type',
    takes: { text: ['text'], 'cmd, the data-only message': ['cmd'] },
    refuses: {
      'another string': [10002, 'video', 'TEXT', ' text'],
      'a value that is not a string': [10002, ...notText],
    },
  },
  {
    name: 'message.title',
    takes: {
      '256 characters': ['x'.repeat(256)],
      '256 characters outside the BMP': ['😀'.repeat(256)],
      'a string without changes, including its spaces': [' Title ', '\n\t"\\\u2028', '<b>', '\u0001', '标题'],
    },
    refuses: {
      '257 characters': [12009, 'x'.repeat(257), '😀'.repeat(257)],
      'a value that is not a string': [10002, ...notText],
    },
  },
  {
    name: 'message.body',
    takes: { '4,096 characters': ['x'.repeat(4_096), '😀'.repeat(4_096)], 'a string without changes': [' a\r\nb '] },
    refuses: {
      '4,097 characters': [12009, 'x'.repeat(4_097), '😀'.repeat(4_097)],
      'a value that is not a string': [10002, ...notText],
    },
  },
  {
    name: 'message.big_text',
    takes: { '4,096 characters': ['x'.repeat(4_096), '😀'.repeat(4_096)] },
    refuses: {
      '4,097 characters': [12009, 'x'.repeat(4_097), '😀'.repeat(4_097)],
      'a value that is not a string': [10002, ...notText],
    },
  },
  {
    name: 'message.attachment_url',
    takes: {
      'any URL of up to 2,048 characters if the type is text': [
        'https://10.0.0.1/a.mp4',
        'https://10.0.0.1/a.mp3?x=1',
        `https://10.0.0.1/${'x'.repeat(2_031)}`,
      ],
    },
    refuses: {
      'more than 2,048 characters': [12009, 'x'.repeat(2_049)],
      'a value that is not a string': [10002, ...notText],
    },
  },
  {
    name: 'message.badge',
    takes: {
      'a number to set the badge to': ['0', '7', '999999999'],
      'a plus sign and a number to add to the badge': ['+0', '+1', '+20', '+999999999'],
    },
    refuses: {
      'a string that is not a number': [10002, 'x', '+', '++1', '+-1', '-1', '1.5', '0x1', '1e3', '１', 'Infinity'],
      'spaces around a number': [10002, ' 1', '1 ', '+ 1', '1\n'],
      'a value that is not a string, including a number': [10002, 7, true, ['7'], { a: '7' }],
    },
  },
  {
    name: 'message.ios',
    takes: { 'an object': [{ sound: 's' }] },
    refuses: { 'a value that is not an object': [10002, ...notObject] },
  },
];

/** Returns an additional field that is not under test, so that the object is not blank. */
const beside = (field: string) => (field === 'sound' ? { thread_id: 't' } : { sound: 's' });

const text = (limit: number): Pick<Field, 'takes' | 'refuses'> => ({
  takes: { [`${limit.toLocaleString('en')} characters`]: ['x'.repeat(limit), '😀'.repeat(limit)] },
  refuses: {
    [`${(limit + 1).toLocaleString('en')} characters`]: [12009, 'x'.repeat(limit + 1)],
    'the NUL character': [10002, 'x\0'],
    'a value that is not a string': [10002, ...notText],
  },
});
const flag = {
  takes: { 'true and false': [true, false] },
  refuses: { 'a value that is not a boolean': [10002, ...notBoolean] as const },
};

const iosFields = {
  sound: text(1_024),
  content_available: flag,
  mutable_content: flag,
  category: text(1_024),
  thread_id: text(1_024),
  subtitle: text(256),
  apns_collapse_id: {
    takes: { '64 bytes of UTF-8': ['x'.repeat(64), 'é'.repeat(32), '😀'.repeat(16)] },
    refuses: {
      '65 bytes of UTF-8': [12009, 'x'.repeat(65), `x${'é'.repeat(32)}`],
      'characters that a header cannot contain': [10002, 'a\nb', 'a\0', ' a', 'a '],
      'a value that is not a string': [10002, ...notText],
    },
  },
} as const satisfies Record<string, Pick<Field, 'takes' | 'refuses'>>;

const ios = Object.entries(iosFields).flatMap(([field, what]: [string, Pick<Field, 'takes' | 'refuses'>]) => {
  const with_ = (message: object) => ({ ...message, ios: beside(field) });
  return fieldRows(
    {
      path: NOTIFY,
      body: { ...good, message: with_(goodMessage) },
      taken: accepted(with_(storedMessage)),
      blank: unchanged(with_(storedMessage)),
    },
    { name: `message.ios.${field}`, ...what },
  );
});

/** Rows about the type of the times. `push-notify-rules.ts` has the rows about their limits. */
const times = ['show_begin_time', 'show_end_time'].flatMap((field) => [
  {
    rule: `${about}.${field} can be blank`,
    path: `${about}.${field}`,
    kind: 'blank',
    cases: blanks.map((blank) => ({
      call: notify(withField(good, `message.${field}`, blank)),
      expect: stored({ message: storedMessage, due: 'now', end: 'a day later' }),
    })),
  } as const satisfies Row,
  {
    rule: `${about}.${field} rejects values that are not an int64: 10002`,
    path: `${about}.${field}`,
    kind: 'illegal',
    cases: notInt64.map((value) => ({ call: withMessage({ ...goodMessage, [field]: value }), expect: refused(10002) })),
  } as const satisfies Row,
]);

const vivoNumbers = ['push_mode', 'classification'].flatMap((field) => {
  const base = { ...storedMessage, vivo: { sound: 's', push_mode: 0, classification: 0 } };
  return fieldRows(
    {
      path: NOTIFY,
      body: { ...good, message: { ...goodMessage, vivo: { sound: 's' } } },
      taken: accepted(base),
      blank: unchanged(base),
    },
    {
      name: `message.vivo.${field}`,
      takes: { '0 and 1': [0, 1] },
      refuses: {
        'another number': [10002, 2, -1, 2_147_483_648],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
  );
});

export const pushNotifyMessageGroup: readonly Row[] = [
  row(
    'legal',
    `${NOTIFY} body`,
    `${NOTIFY} body accepts audience and message`,
    notify(),
    stored({ message: storedMessage }),
  ),
  {
    rule: `${NOTIFY} body rejects values that are not objects: 10002`,
    path: `${NOTIFY} body`,
    kind: 'illegal',
    cases: ['[]', '[{"audience":"all"}]', '1', '"all"', 'null', 'true'].map((text) => ({
      call: { path: NOTIFY, text },
      expect: refused(10002, /object/),
    })),
  },
  ...fieldRows(
    {
      path: NOTIFY,
      body: good,
      taken: (_name, value) => stored({ message: { type: 'text', badge: '+1', ...(value as object) } }),
    },
    {
      name: 'message',
      takes: {
        'an object with any one field': [
          { title: 't' },
          { body: 'b' },
          { big_text: 'b' },
          { badge: '+2' },
          { type: 'cmd' },
          { ext: { a: null } },
        ],
      },
      refuses: {
        'a value that is not an object': [10002, ...notObject],
        'an object with only blank fields': [10002, { title: '', body: ' ', badge: null, ext: {}, show_end_time: [] }],
        'an object whose nested objects have only blank fields': [
          10002,
          { ios: { sound: '' }, android: { intent: ' ' }, vivo: { push_mode: null }, huawei: {} },
        ],
        'an object with only unknown fields, because they are ignored': [10002, { colour: 'red' }],
      },
    },
  ),
  ...topFields.flatMap((field) =>
    fieldRows(
      { path: NOTIFY, body: good, taken: accepted(storedMessage), blank: unchanged(withoutField(field.name)) },
      field,
    ),
  ),
  ...times,
  ...ios,
  ...vivoNumbers,
  row(
    'rule',
    about,
    `${about} ignores unknown fields and does not store them`,
    withMessage({ ...goodMessage, colour: 'red', task_id: '1' }),
    stored({ message: storedMessage }),
  ),
  row(
    'rule',
    `${about}.ios`,
    `${about}.ios ignores unknown fields and does not store them`,
    withMessage({ ...goodMessage, ios: { sound: 's', colour: 'red' } }),
    stored({ message: { ...storedMessage, ios: { sound: 's' } } }),
  ),
];

/**
 * Returns the stored message for a request in which one field is blank. `type` and `badge` have defaults, so they
 * remain.
 */
function withoutField(name: string): object {
  const field = name.replace('message.', '');
  return Object.fromEntries(
    Object.entries(storedMessage).filter(([key]) => key !== field || key === 'type' || key === 'badge'),
  );
}
