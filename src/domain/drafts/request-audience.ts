import { parseJson } from '#src/foundation/json.ts';
import { Problem } from '../problem.ts';
import type { Audience } from '../task.ts';

/** The audience of a request of `/push/notify`. */
export type RequestAudience =
  | 'all'
  | {
      readonly tag?: readonly string[];
      readonly alias?: readonly string[];
      readonly user_id?: readonly bigint[];
      readonly push_token?: readonly string[];
    };

/** Blank keys have already been removed, so exactly one key must be left. */
export function toAudience(audience: RequestAudience): Audience {
  if (audience === 'all') return { kind: 'all' };
  const keys = (['tag', 'alias', 'user_id', 'push_token'] as const).filter((key) => audience[key] !== undefined);
  if (keys.length !== 1)
    throw new Problem('bad-parameter', 'audience must have exactly one of tag, alias, user_id, push_token.');
  const { tag, alias, user_id: userIds, push_token: pushTokens } = audience;
  if (tag) return { kind: 'tag', names: tag };
  if (alias) return { kind: 'alias', names: alias };
  return userIds ? { kind: 'user_id', userIds } : { kind: 'push_token', pushTokens: pushTokens as string[] };
}

/** Returns the audience as a request has it. */
export function toRequestAudience(audience: Audience): RequestAudience {
  switch (audience.kind) {
    case 'all':
      return 'all';
    case 'tag':
      return { tag: audience.names };
    case 'alias':
      return { alias: audience.names };
    case 'user_id':
      return { user_id: audience.userIds };
    case 'push_token':
      return { push_token: audience.pushTokens };
  }
}

/** A stored request of `/push/notify`. */
export interface DraftBody {
  readonly audience: RequestAudience;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Parses the request in a draft. */
export function parseDraft(bodyText: string): { readonly body: DraftBody; readonly audience: Audience } {
  const body = parseJson(bodyText) as DraftBody;
  const audience = toAudience(body.audience);
  // Only integers above 2^53 are parsed as bigints.
  return {
    body,
    audience: audience.kind === 'user_id' ? { ...audience, userIds: audience.userIds.map(BigInt) } : audience,
  };
}
