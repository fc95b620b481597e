import { good, goodMessage, NOTIFY, stored, storedMessage, withMessage } from './push-notify.ts';
import {
  blanks,
  type Expect,
  type Field,
  fieldRows,
  notBoolean,
  notObject,
  notText,
  ok,
  type Row,
  refused,
  row,
  withField,
} from './row.ts';

/** The objects that share the Android fields, with the defaults of their additional fields. */
const vendors = {
  android: {},
  huawei: {},
  xiaomi: {},
  oppo: {},
  vivo: { push_mode: 0, classification: 0 },
  flyme: {},
  fcm: {},
  honor: {},
} as const;

const withBadgeClass: readonly string[] = ['huawei', 'honor'];
/** Vendors that can grant message classes to an operator. */
const withCategory: readonly string[] = ['huawei', 'honor', 'oppo', 'vivo'];

const text = (limit: number): Pick<Field, 'takes' | 'refuses'> => ({
  takes: { [`${limit.toLocaleString('en')} characters`]: ['x'.repeat(limit), '😀'.repeat(limit)] },
  refuses: {
    [`${(limit + 1).toLocaleString('en')} characters`]: [12009, 'x'.repeat(limit + 1)],
    'a value that is not a string': [10002, ...notText],
  },
});

/** Returns the rules for a field that accepts a fixed set of numbers. */
const oneOf = (good: readonly number[], ...bad: readonly unknown[]): Pick<Field, 'takes' | 'refuses'> => ({
  takes: { [good.join(' or ')]: good },
  refuses: { 'another number': [10002, ...bad], 'a value that is not a number': [10002, 'one', true, [1]] },
});

const TEMPLATE = '{"keywords1":"Ada","keywords2":"钟"}';

/** Additional fields that classify a message, by vendor. */
const classFields: Readonly<Record<string, Readonly<Record<string, Pick<Field, 'takes' | 'refuses'>>>>> = {
  huawei: {
    importance: {
      takes: { 'LOW or NORMAL': ['LOW', 'NORMAL'] },
      refuses: { 'another string': [10002, 'HIGH', 'low'], 'a value that is not a string': [10002, ...notText] },
    },
  },
  oppo: { notify_level: oneOf([1, 2, 16], 0, 3, 17) },
  xiaomi: {
    template_id: text(64),
    template_param: {
      takes: { 'a JSON object of strings': [TEMPLATE, '{}', JSON.stringify({ keywords1: 'x'.repeat(128) })] },
      refuses: {
        'a value that is not a JSON object of at most 9 short strings': [
          10002,
          'Ada',
          '["Ada"]',
          'null',
          '{"keywords1":7}',
          '{"keywords1":""}',
          JSON.stringify({ keywords1: 'x'.repeat(129) }),
          JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`keywords${i}`, 'x']))),
        ],
        '4,097 characters': [12009, 'x'.repeat(4_097)],
        'a value that is not a string': [10002, ...notText],
      },
    },
  },
  flyme: { notice_msg_type: oneOf([0, 1], -1, 2) },
};

const PAGE = 'intent:#Intent;component=com.example.app/com.example.app.Page;end';

const fields = {
  sound: text(1_024),
  channel_id: text(1_024),
  click_action: {
    takes: { open_app: ['open_app'] },
    refuses: {
      'another string': [10002, 'call', 'INTENT', ' intent'],
      'a value that is not a string': [10002, ...notText],
    },
  },
  intent: text(4_096),
} as const satisfies Record<string, Pick<Field, 'takes' | 'refuses'>>;

function vendorRows([vendor, defaults]: [string, object]): Row[] {
  const about = `${NOTIFY} body.message.${vendor}`;
  const tried = (parameters: object) => withMessage({ ...goodMessage, [vendor]: parameters });
  const kept = (parameters: object): Expect =>
    stored({ message: { ...storedMessage, [vendor]: { ...defaults, ...parameters } } });
  const names = {
    ...fields,
    ...(withBadgeClass.includes(vendor) && { badge_class: text(1_024) }),
    ...(withCategory.includes(vendor) && { category: text(64) }),
    ...classFields[vendor],
  };
  return [
    ...fieldRows(
      {
        path: NOTIFY,
        body: good,
        taken: (_name, value) => kept(value as object),
        blank: () => stored({ message: storedMessage }),
      },
      {
        name: `message.${vendor}`,
        takes: { 'an object': [{ sound: 's', channel_id: 'c' }] },
        refuses: { 'a value that is not an object': [10002, ...notObject] },
      },
    ),
    ...Object.entries(names).flatMap(([field, what]) => {
      // A field that is not under test, so that the object is not blank.
      const beside = field === 'sound' ? { channel_id: 'c' } : { sound: 's' };
      return fieldRows(
        {
          path: NOTIFY,
          body: { ...good, message: { ...goodMessage, [vendor]: beside } },
          taken: (_name, value) => kept({ ...beside, [field]: value }),
          blank: () => kept(beside),
        },
        { name: `message.${vendor}.${field}`, ...(what as Pick<Field, 'takes' | 'refuses'>) },
      );
    }),
    row(
      'legal',
      `${about}.click_action`,
      `${about}.click_action accepts intent with a page to open`,
      tried({ click_action: 'intent', intent: PAGE }),
      kept({ click_action: 'intent', intent: PAGE }),
    ),
    {
      rule: `${about}.intent must not be blank when click_action is intent: 10002`,
      path: `${about}.intent`,
      kind: 'rule',
      cases: blanks.map((blank) => ({
        call: tried(withField({ click_action: 'intent' }, 'intent', blank)),
        expect: refused(10002, new RegExp(`${vendor}\\.intent`)),
      })),
    },
    row(
      'illegal',
      `${about}.intent`,
      `${about}.intent rejects values that are not an intent URI when click_action is intent: 10002`,
      tried({ click_action: 'intent', intent: 'https://example.com' }),
      refused(10002, new RegExp(`${vendor}\\.intent`)),
    ),
    row(
      'rule',
      about,
      `${about} ignores unknown fields and does not store them`,
      tried({ sound: 's', colour: 'red' }),
      kept({ sound: 's' }),
    ),
  ];
}

type Fields = Readonly<Record<string, Pick<Field, 'takes' | 'refuses'>>>;

const boolean = {
  takes: { 'true and false': [true, false] },
  refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
} as const satisfies Pick<Field, 'takes' | 'refuses'>;

/** The fields of `harmony`, which does not share the Android fields. */
const harmonyFields: Fields = {
  category: text(64),
  sound: text(1_024),
  action: text(1_024),
  uri: text(1_024),
  collapse_key: {
    takes: { '-1 to 100': [-1, 0, 100] },
    refuses: { 'another number': [10002, -2, 101, 0.5], 'a value that is not a number': [10002, 'one', true, [1]] },
  },
  foreground_show: boolean,
};

const httpsUrl = (what: string) =>
  ({
    takes: { 'an https URL': ['https://example.com/', `https://example.com/${'x'.repeat(2_028)}`] },
    refuses: {
      [`${what} that is not an https URL`]: [
        10002,
        'http://example.com/',
        'javascript:alert(1)',
        '/tower',
        'https://a b',
      ],
      'more than 2,048 characters': [12009, `https://example.com/${'x'.repeat(2_029)}`],
      'a value that is not a string': [10002, ...notText],
    },
  }) as const satisfies Pick<Field, 'takes' | 'refuses'>;

const words = (...valid: readonly string[]) =>
  ({
    takes: { 'each of its words': valid },
    refuses: { 'another word': [10002, 'other'], 'a value that is not a string': [10002, ...notText] },
  }) as const satisfies Pick<Field, 'takes' | 'refuses'>;

/** The fields of `webpush`, which does not share the Android fields. */
const webPushFields: Fields = {
  navigate: httpsUrl('a page'),
  tag: text(64),
  icon: httpsUrl('an icon'),
  lang: text(35),
  dir: words('auto', 'ltr', 'rtl'),
  silent: boolean,
  urgency: words('very-low', 'low', 'normal', 'high'),
};

/** Rows about an object with its own fields. `pair` are two of its fields with a valid value. */
function ownObjectRows(object: string, fields: Fields, pair: readonly [[string, string], [string, string]]): Row[] {
  const about = `${NOTIFY} body.message.${object}`;
  const [[first, value], second] = pair;
  const kept = (parameters: object): Expect => stored({ message: { ...storedMessage, [object]: parameters } });
  const one = { [first]: value };
  return [
    ...fieldRows(
      {
        path: NOTIFY,
        body: good,
        taken: (_name, given) => kept(given as object),
        blank: () => stored({ message: storedMessage }),
      },
      {
        name: `message.${object}`,
        takes: { 'an object': [Object.fromEntries(pair)] },
        refuses: { 'a value that is not an object': [10002, ...notObject] },
      },
    ),
    ...Object.entries(fields).flatMap(([field, what]) => {
      // A field that is not under test, so that the object is not blank.
      const beside = field === first ? Object.fromEntries([second]) : one;
      return fieldRows(
        {
          path: NOTIFY,
          body: { ...good, message: { ...goodMessage, [object]: beside } },
          taken: (_name, given) => kept({ ...beside, [field]: given }),
          blank: () => kept(beside),
        },
        { name: `message.${object}.${field}`, ...what },
      );
    }),
    row(
      'rule',
      about,
      `${about} ignores unknown fields and the fields of Android`,
      withMessage({ ...goodMessage, [object]: { ...one, colour: 'red', channel_id: 'c', click_action: 'intent' } }),
      kept(one),
    ),
  ];
}

const intents = (
  rule: string,
  values: readonly string[],
  expect: Expect,
  click_action: string | null = 'intent',
): Row => ({
  rule: `intent: ${rule}`,
  path: `${NOTIFY} body.message.android.intent`,
  kind: 'rule',
  cases: values.map((intent) => ({
    call: withMessage({ ...goodMessage, android: { sound: 's', click_action, intent } }),
    expect,
  })),
});

const intentRows: readonly Row[] = [
  intents(
    'a URI with a component and a final ;end is accepted',
    [PAGE, 'intent:#Intent;component=com.x/com.x.A$B;end'],
    ok,
  ),
  intents(
    'any number of S. parts can follow the component',
    [
      'intent:#Intent;component=com.x/com.x.Page;S.id=7;end',
      'intent:#Intent;component=com.x/com.x.Page;S.id=7;S.name=%E6%A0%87;S.empty=;end',
    ],
    ok,
  ),
  intents(
    'parts of other kinds can precede the component',
    ['intent://host/path#Intent;scheme=app;launchFlags=0x10000000;component=com.x/com.x.Page;end'],
    ok,
  ),
  intents(
    'a URI without a component is rejected: 10002',
    ['intent:#Intent;end', 'intent:#Intent;S.id=7;end'],
    refused(10002),
  ),
  intents(
    'a component without a package or an activity is rejected: 10002',
    [
      'intent:#Intent;component=com.x;end',
      'intent:#Intent;component=/com.x.Page;end',
      'intent:#Intent;component=com.x/;end',
    ],
    refused(10002),
  ),
  intents(
    'a URI that does not end with ;end is rejected: 10002',
    [
      'intent:#Intent;component=com.x/com.x.Page;',
      'intent:#Intent;component=com.x/com.x.Page;S.id=7',
      'intent:#Intent;component=com.x/com.x.Page;end;',
      'intent:#Intent;component=com.x/com.x.Page;end\n',
    ],
    refused(10002),
  ),
  intents(
    'a value that is not an intent URI is rejected: 10002',
    [
      'com.x/com.x.Page',
      'https://example.com/#Intent;component=com.x/com.x.Page;end',
      '#Intent;component=com.x/com.x.Page;end',
      ` ${PAGE}`,
    ],
    refused(10002),
  ),
  intents('any string is accepted when click_action is open_app', ['anything'], ok, 'open_app'),
  intents('any string is accepted when click_action is blank', ['anything'], ok, null),
  row(
    'rule',
    `${NOTIFY} body.message.android.intent`,
    'intent: each object is checked against its own click_action',
    withMessage({
      ...goodMessage,
      android: { click_action: 'intent', intent: PAGE },
      oppo: { click_action: 'intent' },
    }),
    refused(10002, /oppo\.intent/),
  ),
];

export const pushNotifyVendorGroup: readonly Row[] = [
  ...Object.entries(vendors).flatMap(vendorRows),
  ...ownObjectRows('harmony', harmonyFields, [
    ['sound', 's'],
    ['category', 'IM'],
  ]),
  ...ownObjectRows('webpush', webPushFields, [
    ['tag', 't'],
    ['lang', 'en'],
  ]),
  ...intentRows,
];
