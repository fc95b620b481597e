import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { open, parseKeyring, reseal, seal } from './sealed-box.ts';

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const oldEntry = entry('2025');
const newEntry = entry('2026');
const keyring = parseKeyring('KEYS', oldEntry);
const ROW = '["certificates","bells","apns",1,"app_secret"]';

describe('sealed box', () => {
  test('opens to the original secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, context) => {
        assert.equal(open(keyring, context, seal(keyring, context, secret)), secret);
      }),
    );
  });

  test('does not contain its secret, and differs each time', () => {
    const secret = 'the secret of the account';
    const [one, two] = [seal(keyring, ROW, secret), seal(keyring, ROW, secret)];
    assert.ok(!one.includes(secret));
    assert.ok(!one.equals(two));
    // Apart from the version and key ID, the two boxes have nothing in common: nonces and keys are not reused.
    const start = 2 + '2025'.length;
    assert.ok(!one.subarray(start, start + 12).equals(two.subarray(start, start + 12)));
    assert.ok(!one.subarray(-secret.length).equals(two.subarray(-secret.length)));
  });

  test('does not open with the context of another row', () => {
    const box = seal(keyring, ROW, 'secret');
    for (const context of [ROW.replace('bells', 'other'), ROW.replace('app_secret', 'certificate'), `${ROW} `, ''])
      assert.throws(() => open(keyring, context, box), context);
  });

  test('does not open if one bit is changed or the end is missing', () => {
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

  test('reports the ID of a missing master key', () => {
    const box = seal(parseKeyring('KEYS', oldEntry), ROW, 'secret');
    assert.throws(() => open(parseKeyring('KEYS', newEntry), ROW, box), /"2025"/);
  });

  test('does not open with a different key that has the same ID', () => {
    assert.throws(() => open(parseKeyring('KEYS', entry('2025')), ROW, seal(keyring, ROW, 'secret')));
  });
});

describe('a keyring', () => {
  test('is rotated key by key: the first key seals, all keys open', () => {
    const before = seal(parseKeyring('KEYS', oldEntry), ROW, 'old secret');
    const both = parseKeyring('KEYS', `${newEntry}\n  ${oldEntry}`);
    assert.equal(open(both, ROW, before), 'old secret');

    const after = seal(both, ROW, 'new secret');
    assert.equal(open(parseKeyring('KEYS', newEntry), ROW, after), 'new secret', 'the old key is no longer needed');
    assert.throws(() => open(parseKeyring('KEYS', oldEntry), ROW, after));
  });

  test('with two keys of the same ID is rejected, and the error contains the ID but no key', () => {
    const [older, newer] = [entry('2026-11'), entry('2026-11')];
    assert.throws(
      () => parseKeyring('KEYS', `${newer} ${oldEntry} ${older}`),
      new Error('Two master keys have the id "2026-11". Give the newer one another id.'),
    );
    assert.throws(() => parseKeyring('KEYS', `${older} ${older}`), /Two master keys have the id/);
  });

  const faults: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['only spaces', ' \n'],
    ['a key without an ID', randomBytes(32).toString('base64')],
    ['an empty ID', `:${randomBytes(32).toString('base64')}`],
    ['an ID of 33 bytes', entry(`${'é'.repeat(16)}x`)],
    ['a key of 31 bytes', `a:${randomBytes(31).toString('base64')}`],
    ['a key of 33 bytes', `a:${randomBytes(33).toString('base64')}`],
    ['an invalid second key', `${oldEntry} b:short`],
  ];
  for (const [what, text] of faults) {
    test(`rejects ${what} without revealing a key`, () => {
      assert.throws(
        () => parseKeyring('KEYS', text),
        (error: Error) => text.split(/[\s:]+/).every((part) => part.length < 10 || !error.message.includes(part)),
      );
    });
  }
});

describe('resealing with another master key', () => {
  const both = parseKeyring('KEYS', `${newEntry} ${oldEntry}`);

  test('creates a box that opens with the new key alone, and does not change the sealed secret', () => {
    const box = seal(keyring, ROW, 'the secret of the account');
    const next = reseal(both, ROW, box) as Buffer;
    assert.equal(open(parseKeyring('KEYS', newEntry), ROW, next), 'the secret of the account');
    assert.throws(() => open(keyring, ROW, next), /"2026"/);
    assert.ok(next.subarray(-40).equals(box.subarray(-40)));
    assert.throws(() => open(both, `${ROW} `, next), 'it is still bound to its row');
  });

  test('skips a box that is already sealed with the new key', () => {
    assert.equal(reseal(both, ROW, seal(both, ROW, 'secret')), undefined);
  });

  test('rejects a box that was moved, damaged or truncated', () => {
    const box = seal(keyring, ROW, 'secret');
    assert.throws(() => reseal(both, `${ROW} `, box));
    assert.throws(() => reseal(both, ROW, box.subarray(0, 20)));
    assert.throws(() => reseal(parseKeyring('KEYS', newEntry), ROW, box), /"2025"/);
    assert.throws(() => reseal(parseKeyring('KEYS', entry('2025')), ROW, box), 'another key of the same ID');
  });
});
