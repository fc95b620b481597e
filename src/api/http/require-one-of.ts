import { Problem } from '#src/domain/problem.ts';

/**
 * Returns the name of the only field that is set. Throws if none or several are set. Blank fields have already been
 * removed.
 */
export function requireOneOf<K extends string>(body: { readonly [N in K]?: unknown }, names: readonly K[]): K {
  const [fieldName, ...others] = names.filter((name) => body[name] !== undefined);
  if (fieldName === undefined || others.length > 0)
    throw new Problem('bad-parameter', `Send exactly one of ${names.join(', ')}.`);
  return fieldName;
}
