import type { AdminLookupResponse } from '../../../../sdk/src/index.ts';

/** The user who gets a test, if exactly one was found. */
export type ChosenUser = { readonly kind: 'one'; readonly userId: string } | { readonly kind: 'none' | 'several' };

/** Returns the user among the matches. A user ID comes first, because otherwise an alias could hide its user. */
export function chosenUserOf(matches: AdminLookupResponse['list']): ChosenUser {
  const users = matches.filter(({ kind }) => kind === 'user');
  const found = users.find(({ matched }) => matched === 'user_id') ?? users[0];
  if (!found) return { kind: 'none' };
  return found.matched === 'user_id' || users.length === 1
    ? { kind: 'one', userId: String(found.user_id) }
    : { kind: 'several' };
}
