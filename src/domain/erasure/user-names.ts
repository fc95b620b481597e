import type { Audience } from '../task.ts';

/** The names by which stored tasks and audit entries refer to a user. */
export interface UserNames {
  readonly userId: bigint;
  readonly aliases: readonly string[];
  readonly pushTokens: readonly string[];
  readonly deviceGuids: readonly string[];
}

/** The author of a task of an erased user. No user has this author, so no user can see the task. */
export const ERASED_AUTHOR = 'erased';
/**
 * The message of a task whose only recipient was erased. It is valid, because workers read the message of every open
 * batch, also after a restore. Devices would not show it.
 */
export const ERASED_MESSAGE = '{"type":"cmd","badge":"0"}';

/** Strings of which one is in every stored audience that names the user. Audiences of other users can match too. */
export function audiencePatterns({ userId, aliases, pushTokens }: UserNames): {
  readonly userId: string;
  readonly texts: readonly string[];
} {
  return {
    userId: `[[,]${userId}[],]`,
    texts: [...aliases, ...pushTokens].map((text) => JSON.stringify(text)),
  };
}

/** Strings of which one is in every audit detail that names the user, and in no other. */
export function auditPatterns({ userId, aliases, pushTokens, deviceGuids }: UserNames): string[] {
  const field = (name: string, texts: readonly string[]) => texts.map((text) => `"${name}":${JSON.stringify(text)}`);
  return [
    `"user_id":${userId},`,
    `"user_id":${userId}}`,
    ...field('alias', aliases),
    ...field('push_token', pushTokens),
    ...field('device_guid', deviceGuids),
  ];
}

/**
 * Returns the audience without the user, and whether the list then is empty. Returns undefined if the audience does not
 * name the user.
 */
export function withoutUser(
  audience: Audience,
  { userId, aliases, pushTokens }: UserNames,
): { readonly audience: Audience; readonly isEmpty: boolean } | undefined {
  const remove = <T>(list: readonly T[], own: readonly T[], build: (rest: readonly T[]) => Audience) => {
    const rest = list.filter((item) => !own.includes(item));
    return rest.length === list.length ? undefined : { audience: build(rest), isEmpty: rest.length === 0 };
  };
  switch (audience.kind) {
    case 'user_id':
      return remove(audience.userIds, [userId], (userIds) => ({ kind: 'user_id', userIds }));
    case 'push_token':
      return remove(audience.pushTokens, pushTokens, (rest) => ({ kind: 'push_token', pushTokens: rest }));
    case 'alias':
      return remove(audience.names, aliases, (names) => ({ kind: 'alias', names }));
    default:
      return undefined;
  }
}
