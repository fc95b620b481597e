import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { sequenceSkips } from '#src/storage/database/sequence-skips.ts';
import { insertGroup } from '#src/storage/users/groups.ts';
import { findLoginUser, insertUser, savePasswordHash } from '#src/storage/users/users.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';

let carillon: Carillon;
let home: HomeDb;
before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  home = carillon.storage.home;
});
after(() => carillon[Symbol.asyncDispose]());

describe('password hash with older parameters', () => {
  /**
   * Hash of the string `password`, from the test suite of argon2's reference implementation (phc-winner-argon2,
   * src/test.c).
   */
  const OLD = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

  const newUser = async (passwordHash: string) =>
    (await insertUser(home, { appId: carillon.appId, passwordHash })) as bigint;
  const hashOf = async (userId: bigint) =>
    (await findLoginUser(home, carillon.appId, { kind: 'user_id', userId }))?.passwordHash as string;

  test('is renewed by a login, and the password stays the same', async () => {
    const userId = await newUser(OLD);
    const logIn = () => carillon.post('/token/id', { user_id: userId, password: 'password' }, { token: null });
    await logIn();
    const renewed = await hashOf(userId);
    assert.notEqual(renewed, OLD);
    await logIn();
    assert.equal(await hashOf(userId), renewed);
  });

  test('is not renewed if the password has changed', async () => {
    const other = await hashPassword('another password');
    const userId = await newUser(other);
    await savePasswordHash(home, carillon.appId, userId, OLD, await hashPassword('password'));
    assert.equal(await hashOf(userId), other);
  });
});

describe('generated IDs', () => {
  const kinds = [
    [
      'user',
      'user_numbers',
      (appId: string, userId?: bigint) => insertUser(home, { appId, ...(userId !== undefined && { userId }) }),
    ],
    ['group', 'group_numbers', (appId: string, groupId?: bigint) => insertGroup(home, appId, groupId, 'choir')],
  ] as const;

  for (const [what, sequence, insert] of kinds) {
    const lastOf = async () => {
      const [row] = await home.query<{ last: bigint }>(`select nextval('${sequence}') as last`);
      return (row as { last: bigint }).last;
    };

    test(`of ${what}s: creation fails with Unavailable instead of a conflict if the app already uses every ID that is tried`, async () => {
      const appId = `took-every-${what}`;
      await carillon.addApp(appId);
      let number = await lastOf();
      for (const skip of sequenceSkips) {
        number += 1n + BigInt(skip);
        assert.equal(await insert(appId, number), number);
      }
      await assert.rejects(insert(appId), Unavailable);
      assert.equal(await insert(appId), number + 1n, 'a retry continues after the last ID that was tried');
      assert.equal(
        await insert(appId, number),
        what === 'user' ? 'user_id' : undefined,
        'an ID that is already in use is rejected',
      );
    });
  }
});
