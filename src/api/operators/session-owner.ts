import { Problem } from '#src/domain/problem.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import { findOperator } from '#src/storage/operators/operators.ts';
import { noSuchOperator } from './operator-record.ts';

/** Returns the operator whose sessions a call lists or ends. Only platform operators can choose another operator. */
export async function sessionOwnerOf(
  db: HomeDb,
  session: Pick<OperatorSession, 'operatorId' | 'isPlatform'>,
  operatorId = session.operatorId,
): Promise<bigint> {
  if (operatorId === session.operatorId) return operatorId;
  if (!session.isPlatform)
    throw new Problem('no-permission', 'Only platform operators can list and end the sessions of other operators.');
  if (!(await findOperator(db, operatorId))) throw noSuchOperator(operatorId);
  return operatorId;
}
