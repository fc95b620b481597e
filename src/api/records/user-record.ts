import type { Static } from 'typebox';
import type { userRecord } from '#src/contract/schemas/user-record.ts';
import type { User } from '#src/storage/users/users.ts';

/** Converts a user to its API record. */
export function toUserRecord(user: User): Static<typeof userRecord> {
  return {
    user_id: user.userId,
    name: user.name,
    mobile: user.mobile,
    email: user.email,
    has_password: user.hasPassword,
    disabled: user.disabled,
    created_at: BigInt(user.createdAt.getTime()),
  };
}
