import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storageStatements } from './support/storage-statements.ts';

// Two statements that delete some of the same rows in different orders can deadlock. A statement that deletes several rows
// therefore locks them in the order of their key first, or skips locked rows and never waits.

const ONE_ROW = 'deletes at most one row of each table';
const LOCKED = 'runs in a transaction that has locked the row of the device';

const WITHOUT_ORDER: Readonly<Record<string, string>> = {
  insertUser: ONE_ROW,
  endUserLogins: ONE_ROW,
  revokeUserToken: ONE_ROW,
  deleteCertificate: ONE_ROW,
  endSession: ONE_ROW,
  setRole: ONE_ROW,
  resetBreaker: ONE_ROW,
  eraseDraft: ONE_ROW,
  deleteGateway: 'deletes one gateway after its sessions, which are in the order of their key',
  deleteOtherKeyChecks: 'runs only in a command of the operator',
  deleteOwnerData: LOCKED,
  eraseDevice: LOCKED,
  changeTags: LOCKED,
  replaceDailyCounts: 'runs in a transaction that has locked the row of the day',
};

describe('statements that delete rows', () => {
  const deletes = storageStatements().filter(({ text }) => /\bdelete from\b/.test(text));
  const isOrdered = (text: string) => /\border by\b.*\bfor update\b/s.test(text) || /\bskip locked\b/.test(text);

  test('lock several rows in the order of their key', () => {
    assert.ok(deletes.length > 25, `${deletes.length}`);
    const unordered = deletes.filter(({ name, text }) => !isOrdered(text) && !(name in WITHOUT_ORDER));
    assert.deepEqual(unordered, []);
  });

  test('are listed as exceptions only if they have no order', () => {
    const unordered = new Set(deletes.filter(({ text }) => !isOrdered(text)).map(({ name }) => name));
    assert.deepEqual(Object.keys(WITHOUT_ORDER).sort(), [...unordered].sort());
  });
});
