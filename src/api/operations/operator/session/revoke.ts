import { operatorSessionRevoke } from '#src/contract/operator/session/revoke.ts';
import { Problem } from '#src/domain/problem.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { endSession, endSessions, findSessions } from '#src/storage/operators/operator-sessions.ts';
import type { Route } from '../../../context.ts';
import { sessionIdOf } from '../../../operators/session-id.ts';
import { sessionOwnerOf } from '../../../operators/session-owner.ts';

export const operatorSessionRevokeRoute: Route<typeof operatorSessionRevoke> = {
  operation: operatorSessionRevoke,
  handle: async ({ storage: { home }, clearAuthCache }, { session, body }) => {
    const { operator_id: operatorId, session_id: sessionId } = body;
    // Without this check, an empty body would end all sessions of the caller.
    if (operatorId === undefined && sessionId === undefined)
      throw new Problem('bad-parameter', 'session_id is missing. To end all sessions of an operator, set operator_id.');
    const ownerId = await sessionOwnerOf(home, session, operatorId);
    if (sessionId === undefined) await endSessions(home, ownerId, session.sessionHash);
    else await endListedSession(home, ownerId, sessionId);
    clearAuthCache();
    return {};
  },
};

async function endListedSession(db: HomeDb, operatorId: bigint, sessionId: bigint): Promise<void> {
  const sessions = await findSessions(db, operatorId);
  const ended = sessions.find(({ sessionHash }) => sessionIdOf(sessionHash) === sessionId);
  if (!ended)
    throw new Problem(
      'bad-parameter',
      `Operator ${operatorId} has no session ${sessionId}. List the sessions with /operator/session/list.`,
    );
  await endSession(db, ended.sessionHash);
}
