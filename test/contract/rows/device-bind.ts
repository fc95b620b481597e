import { tokens } from './cast.ts';
import {
  blanks,
  type Call,
  type Expect,
  fieldRows,
  notInteger,
  notText,
  ok,
  type Row,
  refused,
  row,
  withField,
} from './row.ts';

const path = '/device/bind';
const good = { provider: 3, token: 'vendor-token' };
const bind = (body: unknown, token: string | null = tokens.binder1): Call => ({ path, token, body });
const fields = { path, token: tokens.binder1, body: good, taken: () => ok };

/** What was stored is looked for by the vendor's token, which is why every row that looks has a device of its own. */
const bound = (token: string, channel: string, environment: number): Expect => ({
  code: 200,
  binding: { token, channel, environment },
});
const rule = (sentence: string, call: Call, expect: Expect) => row('rule', path, sentence, call, expect);

const environmentForms: Row = {
  rule: '/device/bind body.environment is 1 when it is blank in any form',
  path: '/device/bind body.environment',
  kind: 'blank',
  tries: blanks.map((blank, i) => ({
    call: bind(withField({ provider: 3, token: `blank-${i}` }, 'environment', blank), tokens.binder2),
    expect: bound(`blank-${i}`, 'xiaomi', 1),
  })),
};

export const deviceBindGroup: readonly Row[] = [
  row('legal', `${path} body`, `${path} body takes an object with provider and token`, bind(good), ok),
  {
    rule: `${path} body refuses what is no object: 10002`,
    path: `${path} body`,
    kind: 'illegal',
    tries: ['[]', '3', '"token"', 'null'].map((text) => ({
      call: { path, token: tokens.binder1, text },
      expect: refused(10002, /object/),
    })),
  },
  ...fieldRows(fields, {
    name: 'provider',
    takes: { 'each of the eight providers': [1, 2, 3, 4, 5, 6, 7, 8] },
    refuses: {
      'a number without a provider': [10002, 0, 9, -1, 2_147_483_649],
      'what is no int32': [10002, ...notInteger],
    },
  }),
  ...fieldRows(fields, {
    name: 'token',
    takes: { 'text of up to 4,096 characters': ['x', 'x'.repeat(4_096)] },
    refuses: {
      'what is not text': [10002, ...notText],
      'the character NUL, or half of one': [10002, 'token\0', 'token\ud83d'],
      'more than 4,096 characters': [12009, 'x'.repeat(4_097)],
    },
  }),
  ...fieldRows(
    { ...fields, blank: () => ok },
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'what is no int32': [10002, ...notInteger] },
    },
  ),
  environmentForms,
  rule(
    'a token is bound at its provider and in its environment',
    bind({ provider: 4, token: 'meizu-dev', environment: 0 }, tokens.binder3),
    bound('meizu-dev', 'flyme', 0),
  ),
  rule(
    'a binding keeps what was sent, spaces and all',
    bind({ provider: 8, token: ' honor token ' }, tokens.binder4),
    bound(' honor token ', 'honor', 1),
  ),
  rule(
    'a binding ignores unknown fields',
    bind({ provider: 6, token: 'oppo-token', colour: 'red' }, tokens.binder5),
    bound('oppo-token', 'oppo', 1),
  ),
  rule('an admin token has no device: 12008', bind(good, tokens.admin), refused(12008)),
  rule('a user token without a device has none: 12008', bind(good, tokens.annWithoutDevice), refused(12008)),
  rule('a binding takes a token: 10003', bind(good, null), refused(10003)),
];
