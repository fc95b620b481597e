import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A statement in the source code, with the function that runs it. */
export interface Statement {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** Returns all strings of `src/storage`. Constants in a string are replaced by their text. */
export function storageStatements(): Statement[] {
  const files = globSync('src/storage/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const sources = files.map((file) => ({ file, source: readFileSync(`${root}/${file}`, 'utf8') }));
  const constants = new Map<string, string>();
  for (const { source } of sources)
    for (const { index, 1: name } of source.matchAll(/\bconst (\w+) = (?:\([^)]*\)[^=`]*=> )?\n? *(?=`)/g))
      constants.set(name as string, readTemplate(source, source.indexOf('`', index)).text);
  const inline = (text: string, depth = 0): string =>
    text.replace(/\$\{((\w+)[^}]*)\}/g, (_, expression: string, name: string) => {
      const constant = depth < 5 ? constants.get(name) : undefined;
      return constant === undefined ? expression : `${inline(constant, depth + 1)} ${expression}`;
    });
  return sources.flatMap(({ file, source }) =>
    splitFunctions(source).flatMap(({ name, body }) =>
      stringsOf(body).map((text) => ({ file, name, text: inline(text) })),
    ),
  );
}

/** Returns the top-level functions and constants of a module. */
function splitFunctions(source: string): { name: string; body: string }[] {
  const starts = [...source.matchAll(/^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))/gm)];
  return starts.map(({ index, 1: name, 2: constant }, i) => ({
    name: (name ?? constant) as string,
    body: source.slice(index, starts[i + 1]?.index),
  }));
}

/** Returns the template strings and plain strings of a piece of code. A template contains the strings in its expressions. */
function stringsOf(code: string): string[] {
  const strings: string[] = [];
  for (let i = 0; i < code.length; i++) {
    if (code[i] === '`') {
      const { text, end } = readTemplate(code, i);
      strings.push(text);
      i = end;
    } else if (code[i] === "'") {
      const end = code.indexOf("'", i + 1);
      strings.push(code.slice(i + 1, end));
      i = end;
    } else if (code.startsWith('/*', i)) i = code.indexOf('*/', i);
    else if (code.startsWith('//', i)) i = code.indexOf('\n', i);
  }
  return strings;
}

/** Reads the template string that begins at `start`. Nested templates become part of the text. */
function readTemplate(code: string, start: number): { text: string; end: number } {
  let text = '';
  let depth = 0;
  for (let i = start + 1; i < code.length; i++) {
    if (code.startsWith('${', i)) depth++;
    if (code[i] === '`' && depth === 0) return { text, end: i };
    if (code[i] === '`') {
      const nested = readTemplate(code, i);
      text += nested.text;
      i = nested.end;
      continue;
    }
    if (code[i] === '}' && depth > 0) depth--;
    text += code[i];
  }
  throw new Error('A template string has no end.');
}
