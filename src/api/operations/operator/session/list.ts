import { operatorSessionList } from '#src/contract/operator/session/list.ts';
import { findSessions } from '#src/storage/operators/operator-sessions.ts';
import type { Route } from '../../../context.ts';
import { sessionIdOf } from '../../../operators/session-id.ts';
import { sessionOwnerOf } from '../../../operators/session-owner.ts';

export const operatorSessionListRoute: Route<typeof operatorSessionList> = {
  operation: operatorSessionList,
  handle: async ({ storage: { home } }, { session, body }) => {
    const sessions = await findSessions(home, await sessionOwnerOf(home, session, body.operator_id));
    return sessions.map(({ sessionHash, address, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
      session_id: sessionIdOf(sessionHash),
      is_current: sessionHash.equals(session.sessionHash),
      address,
      user_agent: userAgent,
      created_at: BigInt(createdAt.getTime()),
      last_used_at: BigInt(lastUsedAt.getTime()),
      expires_at: BigInt(expiresAt.getTime()),
    }));
  },
};
