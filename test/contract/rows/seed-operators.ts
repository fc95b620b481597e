import assert from 'node:assert/strict';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { insertSession } from '#src/storage/operators/operator-sessions.ts';
import { insertOperator, setOperatorDisabled, setRole } from '#src/storage/operators/operators.ts';
import type { Carillon } from '../../support/carillon.ts';
import {
  changerSessionIds,
  endedSessionId,
  OPERATOR_PASSWORD,
  operators,
  sessionIds,
  viewerSessionId,
} from './fixture-operators.ts';
import { apps } from './fixtures.ts';

/** Stores the operators and their sessions. */
export async function seedOperatorFixtures({ storage: { home } }: Carillon): Promise<void> {
  const passwordHash = await hashPassword(OPERATOR_PASSWORD);
  for (const { operatorId, email, isPlatform } of Object.values(operators))
    assert.equal(await insertOperator(home, { email, name: 'An operator', passwordHash, isPlatform }), operatorId);
  await setOperatorDisabled(home, operators.disabled.operatorId, true);
  await setRole(home, operators.viewer.operatorId, apps.bells, 'viewer');
  const start = (operatorId: bigint, sessionId: string) =>
    insertSession(home, sessionId, { operatorId, address: '192.0.2.7', userAgent: 'a browser', passwordHash: null });
  for (const sessionId of Object.values(sessionIds)) await start(operators.platform.operatorId, sessionId);
  await start(operators.viewer.operatorId, viewerSessionId);
  await start(operators.ended.operatorId, endedSessionId);
  for (const name of ['changer1', 'changer2', 'changer3'] as const)
    await start(operators[name].operatorId, changerSessionIds[name]);
}
