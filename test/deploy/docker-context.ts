/**
 * Returns a function that checks whether a path is part of the build context according to `.dockerignore`. Paths are
 * relative to the repository root.
 */
export function readContext(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isIncluded: line.startsWith('!'), pattern: toPattern(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isIncluded ?? true;
}

/** Converts a rule to a pattern. A rule applies to the path it names and to everything below it. */
function toPattern(rule: string): RegExp {
  const text = rule
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*|\?/g, (mark) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' })[mark] as string);
  return new RegExp(`^${text}(?:/.*)?$`);
}
