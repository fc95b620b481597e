import { emailOf, mobileOf, userNameOf } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import type { ConflictingField, LoginNames } from '#src/storage/users/users.ts';

interface LoginNameFields {
  readonly name?: string;
  readonly mobile?: string;
  readonly email?: string;
}

/** Returns the given login names in the form in which they are stored. Throws if one of them is not valid. */
export function readLoginNames({ name, mobile, email }: LoginNameFields, country: string): LoginNames {
  return {
    ...(name !== undefined && {
      name: requireValid(
        userNameOf(name),
        'name must contain a letter, and no @, invisible characters, or leading or trailing spaces.',
      ),
    }),
    ...(mobile !== undefined && {
      mobile: requireValid(
        mobileOf(mobile, country),
        `mobile must be a phone number with + and country code, or in the national format of ${country}.`,
      ),
    }),
    ...(email !== undefined && { email: requireValid(emailOf(email), 'email must be an email address.') }),
  };
}

function requireValid(text: string | undefined, rule: string): string {
  if (text === undefined) throw new Problem('bad-parameter', rule);
  return text;
}

/** Returns the ID of the created user. Throws if another user has one of the values. */
export function requireCreatedUser(result: bigint | ConflictingField): bigint {
  if (typeof result !== 'bigint') throw new Problem('already-exists', `Another user already has this ${result}.`);
  return result;
}
