import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

/** From the test suite of argon2's reference implementation (phc-winner-argon2, src/test.c). */
const REFERENCE = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

/** Returns the duration of the fastest of three runs, so that other load has less influence. */
async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

describe('a password', () => {
  const passwords = ['secret', ' ', '  with spaces  ', 'пароль 密码 🔔', 'x'.repeat(256)];
  for (const password of passwords) {
    test(`${JSON.stringify(password.slice(0, 20))} matches its own hash, and other passwords do not`, async () => {
      const stored = await hashPassword(password);
      assert.ok(await verifyPassword(password, stored));
      for (const wrong of [`${password} `, password.slice(1), password.toUpperCase() + password, ''])
        assert.ok(!(await verifyPassword(wrong, stored)), JSON.stringify(wrong));
    });
  }

  test('is stored as argon2id with at least OWASP’s minimum parameters and a unique salt', async () => {
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(one.split('$')[4], two.split('$')[4]);
  });

  test('matches a hash with other parameters', async () => {
    assert.ok(await verifyPassword('password', REFERENCE));
    assert.ok(!(await verifyPassword('Password', REFERENCE)));
    assert.ok(isOutdated(REFERENCE), 'it must be hashed again');
    assert.ok(!isOutdated(await hashPassword('password')));
  });

  test('does not match for an unknown user, and the check takes as long as for a known user', async () => {
    const stored = await hashPassword('secret');
    assert.equal(await verifyPassword('secret', undefined), false);
    const known = await millisecondsOf(() => verifyPassword('wrong', stored));
    const unknown = await millisecondsOf(() => verifyPassword('wrong', undefined));
    assert.ok(unknown > known / 3, `${unknown} ms for an unknown user, ${known} ms for a known one`);
  });

  test('throws if the stored string is not an argon2id hash', async () => {
    for (const stored of ['', 'secret', '$2b$10$abcdefghijklmnopqrstuv', REFERENCE.replace('argon2id', 'argon2i')])
      await assert.rejects(verifyPassword('password', stored), /PHC/);
  });

  test('twenty simultaneous checks all return a result', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => verifyPassword(i % 2 === 0 ? 'password' : 'wrong', REFERENCE)),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 20 }, (_, i) => i % 2 === 0),
    );
  });
});
