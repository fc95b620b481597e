import { emailOf, mobileOf, userNameOf } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import type { LoginNames, Taken } from '#src/storage/users/users.ts';

interface Given {
  readonly name?: string;
  readonly mobile?: string;
  readonly email?: string;
}

/** Login names as they are stored, of those that were given; what cannot be one is refused. */
export function readLoginNames({ name, mobile, email }: Given, country: string): LoginNames {
  return {
    ...(name !== undefined && {
      name: read(userNameOf(name), 'name must have a letter, no @, nothing invisible and no spaces at its ends.'),
    }),
    ...(mobile !== undefined && {
      mobile: read(
        mobileOf(mobile, country),
        `mobile must be a telephone number, with + or as it is dialled in ${country}.`,
      ),
    }),
    ...(email !== undefined && { email: read(emailOf(email), 'email must be an email address.') }),
  };
}

function read(text: string | undefined, rule: string): string {
  if (text === undefined) throw new Problem('bad-parameter', rule);
  return text;
}

/** The ID of a person who was made, unless somebody else has what was to be theirs. */
export function refuseTaken(made: bigint | Taken): bigint {
  if (typeof made !== 'bigint') throw new Problem('already-exists', `Somebody has this ${made}.`);
  return made;
}
