import { isBlank } from './blank.ts';
import { Problem } from './problem.ts';
import type { Audience } from './task.ts';

/** What a token says about whoever holds it. */
export type TokenHolder =
  | { readonly kind: 'admin'; readonly appId: string; readonly scopes: readonly string[] }
  | {
      readonly kind: 'user';
      readonly appId: string;
      readonly userId: bigint;
      /** The device the token was issued with, and the generation it had then. */
      readonly device: { readonly deviceId: bigint; readonly generation: number } | undefined;
    };

/** Who makes a call: found by the token, narrowed by the headers. `docs/callers.md` has the table. */
export type Caller =
  | {
      readonly kind: 'admin';
      readonly appId: string;
      readonly scopes: readonly string[];
      /** The user recorded as author, and on whom `/device/*` acts. Reach and sight stay the admin's own. */
      readonly onBehalfOf: bigint | undefined;
    }
  | { readonly kind: 'group'; readonly appId: string; readonly scopes: readonly string[]; readonly groupId: bigint }
  | (TokenHolder & { readonly kind: 'user' });

/** What an admin token may be allowed to do; `*` is everything in its own app, and `platform` reaches beyond it. */
export const scopes = ['push', 'secrets', 'manage', 'platform'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Decides who a caller is by the token and the two headers that may narrow it. Blank headers count as absent. Whether
 * the user or the group exists is for whoever asks the database.
 */
export function decideCaller(
  holder: TokenHolder,
  headers: { readonly userId: string | undefined; readonly groupId: string | undefined },
  toInt64: (text: string) => bigint | undefined,
): Caller {
  const parseHeader = (name: string, text: string | undefined): bigint | undefined => {
    if (text === undefined || isBlank(text)) return undefined;
    const id = toInt64(text);
    if (id === undefined) throw new Problem('bad-parameter', `The header ${name} must be an int64.`);
    return id;
  };
  const userId = parseHeader('user_id', headers.userId);
  const groupId = parseHeader('group_id', headers.groupId);
  if (userId !== undefined && groupId !== undefined)
    throw new Problem('bad-parameter', 'Send user_id or group_id, not both.');

  if (holder.kind === 'user') {
    if (groupId !== undefined) throw new Problem('no-permission', 'Only an admin token may set group_id.');
    if (userId !== undefined && userId !== holder.userId)
      throw new Problem('no-permission', 'A user token may act only for its own user.');
    return holder;
  }
  const { appId, scopes } = holder;
  if (groupId !== undefined) return { kind: 'group', appId, scopes, groupId };
  return { kind: 'admin', appId, scopes, onBehalfOf: userId };
}

/** Request keys and tasks are remembered under their author: admins as one, each group, each user. */
export function authorOf(caller: Caller): string {
  switch (caller.kind) {
    case 'group':
      return `group:${caller.groupId}`;
    case 'user':
      return `user:${caller.userId}`;
    case 'admin':
      return caller.onBehalfOf === undefined ? 'admin' : `user:${caller.onBehalfOf}`;
  }
}

/** The person on whom `/device/*` acts; undefined: whoever has the device. */
export function actingUserOf(caller: Caller): bigint | undefined {
  switch (caller.kind) {
    case 'user':
      return caller.userId;
    case 'admin':
      return caller.onBehalfOf;
    case 'group':
      return undefined;
  }
}

/** What an operation asks of whoever calls it: a scope of admin tokens, and of user tokens that it is not an admin's. */
export interface Access {
  readonly access: 'token' | 'admin';
  /** Null: none. */
  readonly scope: Scope | null;
}

export function requireAccess(caller: Caller, { access, scope }: Access): void {
  if (caller.kind === 'user') {
    if (access === 'admin') throw new Problem('no-permission', 'This takes an admin token.');
    return;
  }
  if (scope !== null && !hasScope(caller.scopes, scope))
    throw new Problem('no-permission', `This admin token has no scope \`${scope}\`.`);
  // Management is an admin's, not a group admin's: a group's admin only reaches its members.
  if (caller.kind === 'group' && (access === 'admin' || scope === 'manage'))
    throw new Problem('no-permission', 'Leave out the header group_id.');
}

export function hasScope(granted: readonly string[], required: Scope | '*'): boolean {
  return granted.includes(required) || (granted.includes('*') && required !== 'platform');
}

/** Whom users of an app may notify. */
export type UserPush = 'none' | 'self' | 'any';

/**
 * Whether a caller may reach an audience; if not, it is refused, never cut. `own-push-tokens`: only if every one of them
 * is a device of the caller's own, which the databases know.
 */
export function mayNotify(caller: Caller, audience: Audience, userPush: UserPush): 'yes' | 'own-push-tokens' {
  if (caller.kind !== 'user' || userPush === 'any') return 'yes';
  if (userPush === 'self') {
    if (audience.kind === 'user_id' && audience.userIds.every((userId) => userId === caller.userId)) return 'yes';
    if (audience.kind === 'push_token') return 'own-push-tokens';
  }
  throw new Problem('no-permission', 'A user token may notify only its own user.');
}

/** Which tasks a caller may see: all of the app's, those of a group, or those of one author. */
export type TaskVisibility =
  | { readonly kind: 'app' }
  | { readonly kind: 'group'; readonly groupId: bigint }
  | { readonly kind: 'author'; readonly author: string };

export function taskVisibilityOf(caller: Caller): TaskVisibility {
  if (caller.kind === 'user') return { kind: 'author', author: authorOf(caller) };
  return caller.kind === 'group' ? { kind: 'group', groupId: caller.groupId } : { kind: 'app' };
}
