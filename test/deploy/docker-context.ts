/** Tells of a path, relative to the root, whether `.dockerignore` lets it into what an image is made of. */
export function readContext(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isIncluded: line.startsWith('!'), pattern: toPattern(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isIncluded ?? true;
}

/** A rule is about what it names and everything below. */
function toPattern(rule: string): RegExp {
  const text = rule
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*|\?/g, (mark) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' })[mark] as string);
  return new RegExp(`^${text}(?:/.*)?$`);
}
