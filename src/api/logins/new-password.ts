import { isGuessable } from '#src/domain/passwords/guessable-password.ts';
import { Problem } from '#src/domain/problem.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import { findUser, type LoginNames } from '#src/storage/users/users.ts';
import type { ApiContext } from '../context.ts';

/** Throws if a new password is easy to guess, or is a name of the user or of the app. */
export function requireStrongPassword(password: string, { appId, name: appName }: App, user: LoginNames): void {
  const names = [appId, appName, user.name, user.mobile, user.email].filter((name) => typeof name === 'string');
  if (isGuessable(password, names))
    throw new Problem(
      'bad-parameter',
      'password is common, is a simple pattern, or is a name of the user or the app, and is easy to guess. Choose a longer one, for example four random words.',
    );
}

/** Throws if the new password of an existing user is easy to guess. */
export async function requireStrongPasswordOf(
  { storage }: ApiContext,
  app: App,
  userId: bigint,
  password: string,
): Promise<void> {
  const user = await findUser(storage.home, app.appId, { kind: 'user_id', userId });
  requireStrongPassword(password, app, user ?? {});
}
