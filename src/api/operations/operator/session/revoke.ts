import { operatorSessionRevoke } from '#src/contract/operator/session/revoke.ts';
import { Problem } from '#src/domain/problem.ts';
import { endSession, findSessions } from '#src/storage/operators/operator-sessions.ts';
import type { Route } from '../../../context.ts';
import { sessionIdOf } from '../../../operators/session-id.ts';

export const operatorSessionRevokeRoute: Route<typeof operatorSessionRevoke> = {
  operation: operatorSessionRevoke,
  handle: async ({ storage, clearAuthCache }, { session, body }) => {
    const sessions = await findSessions(storage.home, session.operatorId);
    const ended = sessions.find(({ sessionHash }) => sessionIdOf(sessionHash) === body.session_id);
    if (!ended)
      throw new Problem(
        'bad-parameter',
        'You have no session with this session_id. List them with /operator/session/list.',
      );
    await endSession(storage.home, ended.sessionHash);
    clearAuthCache();
    return {};
  },
};
