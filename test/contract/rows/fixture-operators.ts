import { csrfTokenOf } from '#src/api/http/session-cookie.ts';

/** Operators and their sessions. `seed-operators.ts` stores them. */

export const OPERATOR_PASSWORD = 'nine bells at midnight';

/** The operators in the order of their IDs, which start at 1. Each row that changes one has a separate operator. */
export const operators = {
  platform: { operatorId: 1n, email: 'platform@example.com', isPlatform: true },
  viewer: { operatorId: 2n, email: 'viewer@example.com', isPlatform: false },
  changed: { operatorId: 3n, email: 'changed@example.com', isPlatform: false },
  disabled: { operatorId: 4n, email: 'disabled@example.com', isPlatform: false },
  // Each row that changes a password needs a separate operator, because rows run at the same time.
  changer1: { operatorId: 5n, email: 'changer1@example.com', isPlatform: false },
  changer2: { operatorId: 6n, email: 'changer2@example.com', isPlatform: false },
  changer3: { operatorId: 7n, email: 'changer3@example.com', isPlatform: false },
  // The session of this operator ends only in the row that ends it.
  ended: { operatorId: 8n, email: 'ended@example.com', isPlatform: false },
} as const;
export const NO_OPERATOR = 4_611_686_018_427_387_904n;

const sessionId = (name: string): string => name.padEnd(43, '0');

/** Sessions of the platform operator. Rows end those with a number. */
export const sessionIds = {
  platform: sessionId('platformSession'),
  spare1: sessionId('spareSession1'),
  spare2: sessionId('spareSession2'),
  spare3: sessionId('spareSession3'),
} as const;
export const viewerSessionId = sessionId('viewerSession');
/** A session that a row ends as another operator. */
export const endedSessionId = sessionId('endedSession');
export const changerSessionIds = {
  changer1: sessionId('changerSession1'),
  changer2: sessionId('changerSession2'),
  changer3: sessionId('changerSession3'),
} as const;

/** Returns the headers of a request with a session. */
export const sessionHeaders = (id: string): Readonly<Record<string, string>> => ({
  cookie: `carillon_session=${id}`,
  'carillon-csrf': csrfTokenOf(id),
});
