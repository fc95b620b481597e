import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { isBlank } from '#src/domain/blank.ts';
import { type Caller, decideCaller, type TokenHolder } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { textToInt64 } from '#src/foundation/int64.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/**
 * Every space character of Unicode and ECMAScript, for a second definition of blank that is independent of the product
 * code.
 */
const SPACES = new Set(
  [
    0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
    0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
  ].map((code) => String.fromCharCode(code)),
);
function isBlankByTheLetter(value: unknown): boolean {
  switch (typeof value) {
    case 'undefined':
      return true;
    case 'string':
      for (const character of value) if (!SPACES.has(character)) return false;
      return true;
    case 'object':
      if (value === null) return true;
      for (const _name in value) return false;
      return true;
    default:
      return false;
  }
}

const blank: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', [], {}),
  fc.string({ unit: fc.constantFrom(...SPACES) }),
);

describe('blank', () => {
  const nearlyBlank = fc.oneof(
    blank,
    fc.constantFrom<unknown>(
      0,
      -0,
      false,
      true,
      0n,
      Number.NaN,
      [null],
      [''],
      [[]],
      { a: null },
      { '': '' },
      '\u200b',
      '\0',
      '0',
    ),
    fc.string({ unit: fc.constantFrom(...SPACES, 'a', '\u200b', '\u180e', '\0', '😀') }),
  );

  test('agrees with the independent definition for any JSON value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearlyBlank, fc.string({ unit: 'binary' })), (value) => {
        assert.equal(isBlank(value), isBlankByTheLetter(value));
      }),
      { numRuns: 5_000 },
    );
  });

  test('depends only on the outermost value', () => {
    fc.assert(
      fc.property(
        fc.array(blank, { minLength: 1 }),
        fc.dictionary(fc.string(), blank, { minKeys: 1 }),
        (list, fields) => {
          assert.ok(!isBlank(list) && !isBlank(fields));
        },
      ),
    );
  });
});

/**
 * Expected caller for each kind of token and each kind of value in the `user_id` and `group_id` headers. A `bad` header
 * is not an int64; `own` is the user of the token.
 */
type UserHeader = 'blank' | 'bad' | 'own' | 'other';
type GroupHeader = 'blank' | 'bad' | 'group';
type Verdict = 'admin' | 'admin-for-user' | 'group' | 'user' | 'bad-parameter' | 'no-permission';

const table: Readonly<Record<'admin' | 'user', Readonly<Record<UserHeader, Readonly<Record<GroupHeader, Verdict>>>>>> =
  {
    admin: {
      blank: { blank: 'admin', bad: 'bad-parameter', group: 'group' },
      bad: { blank: 'bad-parameter', bad: 'bad-parameter', group: 'bad-parameter' },
      own: { blank: 'admin-for-user', bad: 'bad-parameter', group: 'bad-parameter' },
      other: { blank: 'admin-for-user', bad: 'bad-parameter', group: 'bad-parameter' },
    },
    user: {
      blank: { blank: 'user', bad: 'bad-parameter', group: 'no-permission' },
      bad: { blank: 'bad-parameter', bad: 'bad-parameter', group: 'bad-parameter' },
      own: { blank: 'user', bad: 'bad-parameter', group: 'bad-parameter' },
      other: { blank: 'no-permission', bad: 'bad-parameter', group: 'bad-parameter' },
    },
  };

describe('callers', () => {
  const blankHeader = fc.oneof(
    fc.constantFrom(undefined, '', ' ', '\t'),
    fc.string({ unit: fc.constantFrom(...SPACES) }),
  );
  const badHeader = fc.oneof(
    fc.constantFrom(
      'nobody',
      '1.5',
      '1e3',
      '0x1',
      '+1',
      '1 2',
      '1,2',
      '--1',
      '-',
      '١',
      '9223372036854775808',
      '-9223372036854775809',
    ),
    fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }).map(String),
    fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 63n) - 1n }).map(String),
    fc.string({ minLength: 1 }).filter((text) => /[^\s\d-]/.test(text)),
  );
  const scopes = fc.subarray(['*', 'push', 'secrets', 'manage']);

  const decide = (holder: TokenHolder, userId: string | undefined, groupId: string | undefined): Caller | string => {
    try {
      return decideCaller(holder, { userId, groupId }, textToInt64);
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return error.problem;
    }
  };

  for (const token of ['admin', 'user'] as const)
    for (const user of ['blank', 'bad', 'own', 'other'] as const)
      for (const group of ['blank', 'bad', 'group'] as const) {
        const verdict = table[token][user][group];
        test(`${token} token, user_id ${user}, group_id ${group}: ${verdict}`, () => {
          fc.assert(
            fc.property(
              int64,
              int64,
              int64,
              blankHeader,
              blankHeader,
              badHeader,
              scopes,
              (own, other, groupId, blankUser, blankGroup, bad, allowed) => {
                fc.pre(own !== other);
                const holder: TokenHolder =
                  token === 'admin'
                    ? { kind: 'admin', appId: 'bells', scopes: allowed }
                    : { kind: 'user', appId: 'bells', userId: own, device: undefined, mayPush: true };
                const userHeader = { blank: blankUser, bad, own: own.toString(), other: other.toString() }[user];
                const groupHeader = { blank: blankGroup, bad, group: groupId.toString() }[group];
                const decided = decide(holder, userHeader, groupHeader);
                const named = { own, other, blank: undefined, bad: undefined }[user];
                const expected: Readonly<Record<Verdict, Caller | string>> = {
                  admin: { kind: 'admin', appId: 'bells', scopes: allowed, onBehalfOf: undefined },
                  'admin-for-user': { kind: 'admin', appId: 'bells', scopes: allowed, onBehalfOf: named },
                  group: { kind: 'group', appId: 'bells', scopes: allowed, groupId },
                  user: { kind: 'user', appId: 'bells', userId: own, device: undefined, mayPush: true },
                  'bad-parameter': 'bad-parameter',
                  'no-permission': 'no-permission',
                };
                assert.deepEqual(decided, expected[verdict]);
              },
            ),
            { numRuns: 50 },
          );
        });
      }
});

describe('requests to a running API', () => {
  let carillon: Carillon;
  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** Sends JSON that was not encoded by Carillon, and returns the stored strings without parsing them. */
  async function notify(body: string): Promise<{ message: string; audience: string }> {
    const response = await fetch(`${carillon.apis[0]?.apiUrl}/push/notify`, {
      method: 'POST',
      headers: { app_id: carillon.appId, 'access-token': carillon.adminToken, 'content-type': 'application/json' },
      body,
    });
    const envelope = (await response.json()) as { code: number; data: { task_id: number }; message: string };
    assert.equal(envelope.code, 200, `${envelope.message}: ${body}`);
    const [task] = await carillon.storage.home.query<{ message: string; audience: string }>(
      'select message, audience from tasks where task_id = $1',
      [envelope.data.task_id],
    );
    return task as { message: string; audience: string };
  }

  const number = fc.oneof(int64, fc.double({ noNaN: true, noDefaultInfinity: true }));
  const leaf = fc.oneof(
    number,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ maxLength: 20 }),
  );
  const key = fc.string({ maxLength: 12 }).filter((name) => name !== '__proto__' && name !== 'constructor');
  const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>((tie) => ({
    value: fc.oneof({ maxDepth: 5, depthSize: 'small' }, leaf, leaf, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));
  const ext = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true });

  test('ext keeps every digit of every int64 at any depth, and all other values', async () => {
    let longNumbers = 0;
    await fc.assert(
      fc.asyncProperty(ext, async (given) => {
        const text = print(given);
        fc.pre(Buffer.byteLength(text) <= 4_000);
        if (/\d{17}/.test(text)) longNumbers++;
        const { message } = await notify(`{"audience":"all","message":{"body":"b","ext":${text}}}`);
        assert.deepEqual(read(message), { body: 'b', type: 'text', badge: '+1', ext: read(text) });
      }),
      { numRuns: 300 },
    );
    assert.ok(longNumbers > 50, `${longNumbers} bodies had long numbers`);
  });

  test('an audience keeps every digit of every user_id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(int64, { minLength: 1, maxLength: 20 }), async (userIds) => {
        const { audience } = await notify(`{"audience":{"user_id":[${userIds}]},"message":{"body":"b"}}`);
        assert.deepEqual(read(audience), { kind: 'user_id', userIds });
      }),
      { numRuns: 100 },
    );
  });

  test('blank fields of a message are dropped, and all other fields are kept', async () => {
    const texts = ['title', 'big_text', 'attachment_url'];
    const objects = {
      ios: ['sound', 'category', 'subtitle'],
      android: ['sound', 'channel_id', 'intent'],
      honor: ['badge_class'],
      harmony: ['category', 'sound', 'uri'],
      webpush: ['tag', 'lang'],
    };
    const text = fc.oneof(
      blank,
      fc.string({ minLength: 1, maxLength: 10 }).filter((given) => given.trim() !== ''),
    );
    const record = (names: readonly string[]) => fc.record(Object.fromEntries(names.map((name) => [name, text])));
    const message = fc.record({
      ...Object.fromEntries(texts.map((name) => [name, text])),
      ...Object.fromEntries(Object.entries(objects).map(([name, names]) => [name, fc.oneof(blank, record(names))])),
      badge: blank,
      type: blank,
      body: fc.constant('b'),
    });
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        const stored = await notify(JSON.stringify({ audience: 'all', message: given }));
        const kept = withoutBlanks(JSON.parse(JSON.stringify(given)));
        assert.deepEqual(JSON.parse(stored.message), { ...(kept as object), type: 'text', badge: '+1' });
      }),
      { numRuns: 150 },
    );
  });
});

/** Returns the value without blank fields and without objects that have only blank fields. */
function withoutBlanks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).map(([name, field]) => [name, withoutBlanks(field)]);
  return Object.fromEntries(kept.filter(([, field]) => !isBlankByTheLetter(field)));
}

/** Encodes a value as JSON; a bigint keeps every digit. */
function print(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}:${print(field)}`)
    .join(',')}}`;
}

/** Parses JSON with every integer as a bigint, so that no digit is lost. */
function read(text: string): unknown {
  const digits = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source as string) : value;
  return JSON.parse(text, digits as never);
}
