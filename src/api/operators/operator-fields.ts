import { emailOf } from '#src/domain/login-name.ts';
import { isGuessable } from '#src/domain/passwords/guessable-password.ts';
import { Problem } from '#src/domain/problem.ts';

/** Returns an email address in the form in which it is stored. Throws if it is not valid. */
export function readOperatorEmail(text: string): string {
  const email = emailOf(text);
  if (email === undefined) throw new Problem('bad-parameter', 'email must be an email address.');
  return email;
}

/** Throws if a new password is easy to guess, or is a name of the operator. */
export function requireStrongOperatorPassword(password: string, names: readonly string[]): void {
  if (isGuessable(password, ['carillon', ...names]))
    throw new Problem(
      'bad-parameter',
      'password is common, is a simple pattern, or is a name of the operator, and is easy to guess. Choose a longer one, for example four random words.',
    );
}
