import { Problem } from '#src/domain/problem.ts';

/** The one field of these that is given. Blank ones are gone already. */
export function requireOneOf<K extends string>(body: { readonly [N in K]?: unknown }, names: readonly K[]): K {
  const [fieldName, ...others] = names.filter((name) => body[name] !== undefined);
  if (fieldName === undefined || others.length > 0)
    throw new Problem('bad-parameter', `Give exactly one of ${names.join(', ')}.`);
  return fieldName;
}
