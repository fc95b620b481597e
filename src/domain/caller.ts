import { isBlank } from './blank.ts';
import { Problem } from './problem.ts';
import type { Audience } from './task.ts';

/** The holder of a token, as recorded with the token. */
export type TokenHolder =
  | {
      readonly kind: 'admin';
      readonly appId: string;
      readonly scopes: readonly string[];
      /** The only group that the token can act for. Undefined if the token is not limited to a group. */
      readonly groupId?: bigint | undefined;
      /** True for an operator with a session, who has a role instead of a token. */
      readonly isOperator?: true;
    }
  | {
      readonly kind: 'user';
      readonly appId: string;
      readonly userId: bigint;
      /** The device that the token was issued for, and the generation of the device at that time. */
      readonly device: { readonly deviceId: bigint; readonly generation: number } | undefined;
      /** False if an admin token without the scope `push` created the token. */
      readonly mayPush: boolean;
    };

/** The caller of a request: identified by the token, restricted by the headers. See the table in `docs/reference/permissions.md`. */
export type Caller =
  | {
      readonly kind: 'admin';
      readonly appId: string;
      readonly scopes: readonly string[];
      /**
       * The user who is recorded as the author and on whom `/device/*` acts. Permissions and visibility remain those of
       * the admin.
       */
      readonly onBehalfOf: bigint | undefined;
      readonly isOperator?: true;
    }
  | {
      readonly kind: 'group';
      readonly appId: string;
      readonly scopes: readonly string[];
      readonly groupId: bigint;
      readonly isOperator?: true;
    }
  | (TokenHolder & { readonly kind: 'user' });

/** Scopes of admin tokens. `*` includes every scope except `platform`, which reaches beyond the app of the token. */
export const scopes = ['push', 'secrets', 'manage', 'platform'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Returns the caller that the token and the two headers identify. Blank headers count as absent. Does not check that
 * the user or the group exists.
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
    if (groupId !== undefined) throw new Problem('no-permission', 'Only an admin token can set group_id.');
    if (userId !== undefined && userId !== holder.userId)
      throw new Problem('no-permission', 'A user token can act only for its own user.');
    return holder;
  }
  const { appId, scopes, groupId: ownGroupId } = holder;
  const operator = holder.isOperator && { isOperator: true as const };
  if (ownGroupId !== undefined) {
    if (userId !== undefined || (groupId !== undefined && groupId !== ownGroupId))
      throw new Problem('no-permission', 'This admin token can act only for its own group.');
    return { kind: 'group', appId, scopes, groupId: ownGroupId };
  }
  if (groupId !== undefined) return { kind: 'group', appId, scopes, groupId, ...operator };
  return { kind: 'admin', appId, scopes, onBehalfOf: userId, ...operator };
}

/**
 * Returns the author under which idempotency keys and tasks are recorded. All admins share one author, except when they
 * act for a user. Each group and each user has a separate one.
 */
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

/** Returns the user on whom `/device/*` acts, or undefined if it acts on the current owner of the device. */
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

/** Access rules of an operation: whether user tokens are accepted, and the scope that admin tokens need. */
export interface Access {
  readonly access: 'token' | 'admin' | 'session';
  /** Null if no scope is required. */
  readonly scope: Scope | null;
  /** The operation only reads, and returns no secret. An operator of any role can call it. */
  readonly reads?: true;
}

export function requireAccess(caller: Caller, { access, scope, reads }: Access): void {
  if (caller.kind === 'user') {
    if (access !== 'token') throw new Problem('no-permission', 'This operation requires an admin token.');
    return;
  }
  const isReader = caller.isOperator && reads && scope !== 'platform';
  if (scope !== null && !isReader && !hasScope(caller.scopes, scope)) {
    if (caller.isOperator) throw new Problem('no-permission', `Your role does not allow this. ${neededRole(scope)}`);
    throw new Problem('no-permission', `This admin token does not have the scope \`${scope}\`.`);
  }
  // Group admins cannot use management operations, because they can only reach members of their group.
  if (caller.kind === 'group' && (access === 'admin' || scope === 'manage'))
    throw new Problem('no-permission', 'This operation is not available to group admins. Omit the group_id header.');
}

const neededRole = (scope: Scope): string =>
  scope === 'platform'
    ? 'Only a platform operator can call this operation.'
    : `Ask a platform operator for the role \`${scope === 'push' ? 'sender' : 'admin'}\` in this app.`;

export function hasScope(granted: readonly string[], required: Scope | '*'): boolean {
  return granted.includes(required) || (granted.includes('*') && required !== 'platform');
}

/** The users that a user token of the app can notify. */
export type UserPush = 'none' | 'self' | 'any';

/**
 * Checks that a caller may notify an audience. Throws if not, because an audience is never reduced. `own-push-tokens`
 * means that every push token must belong to a device of the caller, which only the databases can confirm.
 */
export function mayNotify(caller: Caller, audience: Audience, userPush: UserPush): 'yes' | 'own-push-tokens' {
  if (caller.kind !== 'user') return 'yes';
  if (!caller.mayPush)
    throw new Problem(
      'no-permission',
      'This access token cannot send, because the admin token that created it does not have the scope `push`.',
    );
  if (userPush === 'any') return 'yes';
  if (userPush === 'self') {
    if (audience.kind === 'user_id' && audience.userIds.every((userId) => userId === caller.userId)) return 'yes';
    if (audience.kind === 'push_token') return 'own-push-tokens';
  }
  throw new Problem('no-permission', 'A user token can notify only its own user.');
}

/** The tasks that a caller can see: all tasks of the app, those of a group, or those of one author. */
export type TaskVisibility =
  | { readonly kind: 'app' }
  | { readonly kind: 'group'; readonly groupId: bigint }
  | { readonly kind: 'author'; readonly author: string };

export function taskVisibilityOf(caller: Caller): TaskVisibility {
  if (caller.kind === 'user') return { kind: 'author', author: authorOf(caller) };
  return caller.kind === 'group' ? { kind: 'group', groupId: caller.groupId } : { kind: 'app' };
}
