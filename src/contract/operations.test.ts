import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from './operations.ts';

/** Operations that only read and return no secret. Add an operation only if it changes nothing. */
const READING = [
  '/admin/app/get',
  '/admin/app/list',
  '/admin/audit/list',
  '/admin/audit/verify',
  '/admin/certificate/list',
  '/admin/channel/list',
  '/admin/device/find',
  '/admin/device/get',
  '/admin/device/notifications',
  '/admin/group/list',
  '/admin/group/members',
  '/admin/ledger/verify',
  '/admin/lookup',
  '/admin/task/quarantined',
  '/admin/token/list',
  '/admin/user/erasures',
  '/admin/user/find',
  '/admin/user/list',
  '/device/list',
  '/operator/list',
  '/operator/methods',
  '/operator/session',
  '/operator/session/list',
  '/push/draft/get',
  '/push/draft/list',
  '/push/statistics/daily',
  '/push/task/detail',
  '/push/task/list',
  '/push/task/report',
  '/push/task/trace',
  '/push/validate',
];

test('operators of every role can call exactly the operations that read, and these are never audited', () => {
  const reading = operations.filter(({ reads }) => reads);
  assert.deepEqual(
    reading.filter(({ audit }) => audit),
    [],
  );
  assert.deepEqual(reading.map(({ path }) => path).sort(), READING);
});
