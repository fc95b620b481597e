import { Problem } from '#src/domain/problem.ts';

/** The one field of these that is given. Blank ones are gone already. */
export function oneOf<K extends string>(body: { readonly [N in K]?: unknown }, names: readonly K[]): K {
  const [given, ...others] = names.filter((name) => body[name] !== undefined);
  if (given === undefined || others.length > 0)
    throw new Problem('bad-parameter', `Give exactly one of ${names.join(', ')}.`);
  return given;
}
