import { emailOf, mobileOf, userNameOf } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import type { ConflictingField, LoginNames } from '#src/storage/users/users.ts';

interface LoginNameFields {
  readonly name?: string;
  readonly mobile?: string;
  readonly email?: string;
}

/** Login names as they are stored, of those that were given; what cannot be one is refused. */
export function readLoginNames({ name, mobile, email }: LoginNameFields, country: string): LoginNames {
  return {
    ...(name !== undefined && {
      name: requireValid(
        userNameOf(name),
        'name must have a letter, no @, nothing invisible and no spaces at its ends.',
      ),
    }),
    ...(mobile !== undefined && {
      mobile: requireValid(
        mobileOf(mobile, country),
        `mobile must be a telephone number, with + or as it is dialled in ${country}.`,
      ),
    }),
    ...(email !== undefined && { email: requireValid(emailOf(email), 'email must be an email address.') }),
  };
}

function requireValid(text: string | undefined, rule: string): string {
  if (text === undefined) throw new Problem('bad-parameter', rule);
  return text;
}

/** The ID of a person who was made, unless somebody else has what was to be theirs. */
export function requireCreatedUser(result: bigint | ConflictingField): bigint {
  if (typeof result !== 'bigint') throw new Problem('already-exists', `Somebody has this ${result}.`);
  return result;
}
