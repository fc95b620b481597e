import { queryOptions } from '@tanstack/react-query';
import { CarillonError, type SignedInOperator } from '../../../sdk/src/index.ts';
import { createClient } from './client.ts';

export type Session = SignedInOperator;
export type SessionApp = Session['apps'][number];
export type Role = SessionApp['role'];

/** Error codes of a call without a valid session: no session, ended session, expired session. */
const SIGNED_OUT_CODES: ReadonlySet<number> = new Set([10003, 10008, 402]);

const NO_PERMISSION_CODE = 10010;

export const isSignedOut = (error: unknown): boolean =>
  error instanceof CarillonError && SIGNED_OUT_CODES.has(error.code);

/** Operations of operators belong to no app, and the first ones need no CSRF token. */
const anonymous = createClient('', '');

/** The session of this browser. It fails with a `CarillonError` if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => anonymous.operator.session(),
  staleTime: 60_000,
});

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => anonymous.operator.methods(),
});

export const signIn = (credentials: { email: string; password: string }): Promise<Session> =>
  anonymous.operator.login(credentials);

/** Also removes what this tab has kept of unsent notifications. */
export async function signOut({ csrf_token }: Session): Promise<void> {
  await createClient(csrf_token, '').operator.logout();
  sessionStorage.clear();
}

/** The call was refused. The session can be that of another operator, who has signed in in another tab. */
export const isRefused = (error: unknown): boolean =>
  error instanceof CarillonError && error.code === NO_PERMISSION_CODE;

/** Returns the address that starts the sign-in at the OIDC provider. */
export const oidcAddress = (returnTo: string): string =>
  `/operator/oidc/login?return_to=${encodeURIComponent(`/console${returnTo}`)}`;

/** Returns whether a role includes another one. */
export const includesRole = (role: Role, needed: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(needed);
const ranks: readonly Role[] = ['viewer', 'sender', 'admin'];
