import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { open, parseKeyring, reseal, seal } from './sealed-box.ts';

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const oldEntry = entry('2025');
const newEntry = entry('2026');
const keyring = parseKeyring(oldEntry);
const ROW = '["certificates","bells","apns",1,"app_secret"]';

describe('a sealed box', () => {
  test('opens to the very secret, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, context) => {
        assert.equal(open(keyring, context, seal(keyring, context, secret)), secret);
      }),
    );
  });

  test('shows nothing of its secret, and is another each time', () => {
    const secret = 'the secret of the bells';
    const [one, two] = [seal(keyring, ROW, secret), seal(keyring, ROW, secret)];
    assert.ok(!one.includes(secret));
    assert.ok(!one.equals(two));
    // Apart from version and key ID the two have nothing in common: nonces and keys are not reused.
    const start = 2 + '2025'.length;
    assert.ok(!one.subarray(start, start + 12).equals(two.subarray(start, start + 12)));
    assert.ok(!one.subarray(-secret.length).equals(two.subarray(-secret.length)));
  });

  test('moved to another row it does not open', () => {
    const box = seal(keyring, ROW, 'secret');
    for (const context of [ROW.replace('bells', 'other'), ROW.replace('app_secret', 'certificate'), `${ROW} `, ''])
      assert.throws(() => open(keyring, context, box), context);
  });

  test('with one bit changed anywhere, or cut anywhere, it does not open', () => {
    const box = seal(keyring, ROW, 'secret');
    fc.assert(
      fc.property(fc.nat(box.length * 8 - 1), (bit) => {
        const spoilt = Buffer.from(box);
        spoilt[bit >> 3] = (spoilt[bit >> 3] as number) ^ (1 << (bit & 7));
        assert.throws(() => open(keyring, ROW, spoilt));
      }),
    );
    for (let length = 0; length < box.length; length++)
      assert.throws(() => open(keyring, ROW, box.subarray(0, length)), `${length} bytes`);
  });

  test('sealed with a key that is not there any more, it names the key', () => {
    const box = seal(parseKeyring(oldEntry), ROW, 'secret');
    assert.throws(() => open(parseKeyring(newEntry), ROW, box), /"2025"/);
  });

  test('another key under the same name does not open it', () => {
    assert.throws(() => open(parseKeyring(entry('2025')), ROW, seal(keyring, ROW, 'secret')));
  });
});

describe('a keyring', () => {
  test('is exchanged key by key: the first seals, all of them open', () => {
    const before = seal(parseKeyring(oldEntry), ROW, 'old secret');
    const both = parseKeyring(`${newEntry}\n  ${oldEntry}`);
    assert.equal(open(both, ROW, before), 'old secret');

    const after = seal(both, ROW, 'new secret');
    assert.equal(open(parseKeyring(newEntry), ROW, after), 'new secret', 'the old key is not needed any more');
    assert.throws(() => open(parseKeyring(oldEntry), ROW, after));
  });

  test('with two keys of one id is refused, in words that name the id and no key', () => {
    const [older, newer] = [entry('2026-11'), entry('2026-11')];
    assert.throws(
      () => parseKeyring(`${newer} ${oldEntry} ${older}`),
      new Error('Two master keys have the id "2026-11". Give the newer one an id of its own.'),
    );
    assert.throws(() => parseKeyring(`${older} ${older}`), /Two master keys have the id/);
  });

  const faults: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['only spaces', ' \n'],
    ['a key without a name', randomBytes(32).toString('base64')],
    ['an empty name', `:${randomBytes(32).toString('base64')}`],
    ['a name of 33 bytes', entry(`${'é'.repeat(16)}x`)],
    ['a key of 31 bytes', `a:${randomBytes(31).toString('base64')}`],
    ['a key of 33 bytes', `a:${randomBytes(33).toString('base64')}`],
    ['a second key that is wrong', `${oldEntry} b:short`],
  ];
  for (const [what, text] of faults) {
    test(`${what} is refused, and no key is told`, () => {
      assert.throws(
        () => parseKeyring(text),
        (error: Error) => text.split(/[\s:]+/).every((part) => part.length < 10 || !error.message.includes(part)),
      );
    });
  }
});

describe('sealed anew under another master key', () => {
  const both = parseKeyring(`${newEntry} ${oldEntry}`);

  test('a box opens with the new key alone, to the same secret, and its inside was not touched', () => {
    const box = seal(keyring, ROW, 'the secret of the bells');
    const next = reseal(both, ROW, box) as Buffer;
    assert.equal(open(parseKeyring(newEntry), ROW, next), 'the secret of the bells');
    assert.throws(() => open(keyring, ROW, next), /"2026"/);
    assert.ok(next.subarray(-40).equals(box.subarray(-40)));
    assert.throws(() => open(both, `${ROW} `, next), 'it still belongs to its row');
  });

  test('one that is under the new key already is left alone', () => {
    assert.equal(reseal(both, ROW, seal(both, ROW, 'secret')), undefined);
  });

  test('one that was moved, spoilt or cut is not sealed anew as if it were good', () => {
    const box = seal(keyring, ROW, 'secret');
    assert.throws(() => reseal(both, `${ROW} `, box));
    assert.throws(() => reseal(both, ROW, box.subarray(0, 20)));
    assert.throws(() => reseal(parseKeyring(newEntry), ROW, box), /"2025"/);
    assert.throws(() => reseal(parseKeyring(entry('2025')), ROW, box), 'another key under the same id');
  });
});
