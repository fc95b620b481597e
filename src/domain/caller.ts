import { Problem } from './problem.ts';
import type { Audience } from './task.ts';

/** Who makes a call. Found by the token; the headers may narrow it. */
export type Caller =
  | { readonly kind: 'admin'; readonly appId: string; readonly scopes: readonly string[] }
  | {
      readonly kind: 'user';
      readonly appId: string;
      readonly userId: bigint;
      /** The device the token was issued with, and the generation it had then. */
      readonly device: { readonly deviceId: bigint; readonly generation: number } | undefined;
    };

/** What an admin token may be allowed to do; `*` is everything. */
export type Scope = 'push' | 'secrets';

/** Request keys and tasks are remembered under their author: admins as one, each user alone. */
export function authorOf(caller: Caller): string {
  return caller.kind === 'admin' ? 'admin' : `user:${caller.userId}`;
}

export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.kind === 'admin' && (caller.scopes.includes('*') || caller.scopes.includes(scope));
}

/** An admin may reach everyone. A user may reach only themself; anything else is refused, not cut. */
export function mayNotify(caller: Caller, audience: Audience): void {
  if (hasScope(caller, 'push')) return;
  const self =
    caller.kind === 'user' &&
    audience.kind === 'user_id' &&
    audience.userIds.length === 1 &&
    audience.userIds[0] === caller.userId;
  if (!self) throw new Problem('no-permission', 'A user token may notify only its own user.');
}
