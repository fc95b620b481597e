import type { FastifyRequest } from 'fastify';
import { randomText } from '#src/foundation/random-text.ts';
import { findSession, insertSession, type OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import type { ApiContext } from '../context.ts';
import { SESSION_COOKIE, setCookie } from '../http/session-cookie.ts';

const SESSION_ID_BITS = 256;
const USER_AGENT_CHARACTERS_MAX = 200;

export interface StartedSession {
  readonly sessionId: string;
  readonly session: OperatorSession;
  /** The `Set-Cookie` header of the response. */
  readonly cookie: string;
}

/**
 * Starts a session. `passwordHash` is the hash that the password was checked against, or null without a password.
 * Returns undefined if the operator can no longer sign in.
 */
export async function startSession(
  { storage: { home }, log }: ApiContext,
  request: FastifyRequest,
  operatorId: bigint,
  passwordHash: string | null,
): Promise<StartedSession | undefined> {
  const sessionId = randomText(SESSION_ID_BITS);
  const userAgent = toStorableText(request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS_MAX);
  const newSession = { operatorId, address: request.ip, userAgent, passwordHash };
  if (!(await insertSession(home, sessionId, newSession))) return undefined;
  const session = await findSession(home, sessionId);
  if (!session) return undefined;
  log.security('operator-signed-in', {
    address: request.ip,
    operatorId,
    method: passwordHash === null ? 'oidc' : 'password',
  });
  return { sessionId, session, cookie: setCookie(request, SESSION_COOKIE, sessionId) };
}

/** Keeps only printable ASCII characters, because anyone can send any header. */
const toStorableText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '');
