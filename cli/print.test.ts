import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printJson, printText } from './print.ts';

const show = (data: unknown, columns = 120) => `\n${printText(data, columns)}\n`;

const users = {
  list: [
    { user_id: 42n, name: '王小明', mobile: '+8613912345678', disabled: false, created_at: 1794700800000n },
    { user_id: 9223372036854775807n, name: 'grace', mobile: null, disabled: true, created_at: 1794700861500n },
  ],
  next: 42n,
};

describe('text output', () => {
  test('is a table for rows, including rows with wide characters', () => {
    assert.equal(
      show(users),
      `
            user_id  name    mobile          disabled  created_at
                 42  王小明  +8613912345678  no        2026-11-15T00:00:00Z
9223372036854775807  grace   -               yes       2026-11-15T00:01:01Z
`,
    );
  });

  test('omits empty columns if the table does not fit', () => {
    const channel = { provider: 1, name: 'APNs', reason: '', closed_at: null, spent: [], per_second: 3000 };
    const channels = [channel, { ...channel, provider: 5, name: 'vivo' }];
    assert.match(show(channels), /closed_at/);
    assert.equal(
      show(channels, 30),
      `
provider  name  per_second
apns (1)  APNs        3000
vivo (5)  vivo        3000
`,
    );
  });

  test('is a record per row if the table is too wide', () => {
    assert.equal(
      show(users, 60),
      `
user_id:    42
name:       王小明
mobile:     +8613912345678
disabled:   no
created_at: 2026-11-15T00:00:00Z

user_id:    9223372036854775807
name:       grace
mobile:     -
disabled:   yes
created_at: 2026-11-15T00:01:01Z
`,
    );
  });

  test('shows lists and objects inside a row', () => {
    const device = {
      push_token: 'p05R',
      tags: ['beta', 'news'],
      bindings: [{ provider: 1, environment: 1, bound_at: 1794700800000n }],
      alias: null,
    };
    assert.equal(
      show([device, { ...device, tags: [], bindings: [] }]),
      `
push_token  tags        bindings                                                       alias
p05R        beta, news  provider=apns (1) environment=1 bound_at=2026-11-15T00:00:00Z  -
p05R        -           -                                                              -
`,
    );
  });

  test('shows the counters of a task by channel and omits idle channels', () => {
    const countersOf = (channel: string, target = 0n, sent = 0n, received = 0n) => ({
      [`${channel}_sent`]: sent,
      [`${channel}_received`]: received,
      [`${channel}_target`]: target,
    });
    const idle = { ...countersOf('apns'), ...countersOf('nativepush') };
    const busy = { ...idle, ...countersOf('nativepush', 1200n, 1100n, 99n) };
    assert.equal(
      show([
        { task_id: 115258093993985n, ...busy },
        { task_id: 7n, ...idle },
      ]),
      `
task 115258093993985
  channel     target  sent  received
  nativepush    1200  1100        99

task 7: no targets
`,
    );
  });

  test('shows a trace as a sentence and one line per attempt', () => {
    const attempt = { at: 1794700800000n, channel: 'nativepush', said: 'silent', detail: '5 s' };
    const list = [
      {
        push_token: 'p05R',
        device_guid: 'phone',
        state: 'sent',
        why: 'Apple accepted it.',
        channels: [{ channel: 'apns', sent: true, acknowledged: false, left_out: 3 }],
        attempts: [
          { ...attempt, text: 'The device did not answer.' },
          { ...attempt, at: 1794700861500n, channel: 'apns', text: 'Apple\u001b[31m accepted it.' },
        ],
      },
      { push_token: 'p06R', device_guid: 'tablet', state: 'outside', why: 'It is held.', channels: [], attempts: [] },
    ];
    assert.equal(
      show({ task_id: 7n, list }),
      `
phone (p05R): sent
  Apple accepted it.
  at                    channel     what
  2026-11-15T00:00:00Z  nativepush  The device did not answer.
  2026-11-15T00:01:01Z  apns        Apple\\u001b[31m accepted it.
  3 more attempts on apns were not recorded.

tablet (p06R): outside
  It is held.
`,
    );
  });

  test('wraps long sentences with indentation', () => {
    const trace = {
      push_token: 'p05R',
      device_guid: 'phone',
      state: 'sent',
      why: 'Apple accepted it. Apple does not report whether it was delivered.',
      channels: [],
      attempts: [{ at: 1794700800000n, channel: 'apns', text: 'Apple accepted it as 5A0BF0F4-5B0A-4B0E.' }],
    };
    assert.equal(
      show({ task_id: 7n, list: [trace] }, 60),
      `
phone (p05R): sent
  Apple accepted it. Apple does not report whether it was
  delivered.
  at                    channel  what
  2026-11-15T00:00:00Z  apns     Apple accepted it as
                                 5A0BF0F4-5B0A-4B0E.
`,
    );
    assert.equal(
      show({ description: 'one two three four', next: 'a-word-that-is-longer-than-its-line' }, 24),
      `
description: one two
             three four
next:        a-word-that-is-longer-than-its-line
`,
    );
  });

  test('shows a key on several lines in a record, and omits it from a table', () => {
    const app = { app_id: 'bells', public_key: '-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n' };
    assert.equal(
      show(app),
      `
app_id:     bells
public_key: -----BEGIN PUBLIC KEY-----
            MCow
            -----END PUBLIC KEY-----
`,
    );
    assert.equal(show([app]), '\napp_id\nbells\n');
  });

  test('shows plain IDs one per line, and a word for an empty result', () => {
    assert.equal(show({ list: [42n, 43n], next: null }), '\n42\n43\n');
    assert.equal(show({ list: [], next: null }), '\nNone.\n');
    assert.equal(show({ list: [], why: null }), '\nNone.\n');
    assert.equal(show({ task_id: 1n, list: [], why: 'No device.' }), '\nNo device.\n');
    assert.equal(show({}), '\nDone.\n');
  });

  test('escapes characters that move the cursor, change the text direction or imitate a field', () => {
    const name = 'a\u001b[31m\nadmin: yes\u009b\u202e';
    assert.equal(show({ name }), '\nname: a\\u001b[31m\\nadmin: yes\\u009b\\u202e\n');
  });

  test('shows a time outside the range of dates as a number', () => {
    assert.equal(show({ expire: 2n ** 63n - 1n }), '\nexpire: 9223372036854775807\n');
  });
});

test('JSON output keeps all digits and escapes control characters', () => {
  assert.equal(
    printJson({ user_id: 2n ** 63n - 1n, expire: 1794700800000n, name: '\u009b王' }),
    '{\n  "user_id": 9223372036854775807,\n  "expire": 1794700800000,\n  "name": "\\u009b王"\n}',
  );
});
