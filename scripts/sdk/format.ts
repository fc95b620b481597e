import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How text is laid out in a generated file. */

const COLUMNS = 116;
const BIOME_MS_MAX = 30_000;

const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));

/** A generated file as the formatter wants it, so that it can be read and checked like any other. */
export function formatGenerated(path: string, text: string): string {
  const header =
    '// Made from src/contract by `npm run docs`; a test holds it equal. Change the contract, not this file.\n\n';
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    input: header + text,
    encoding: 'utf8',
    timeout: BIOME_MS_MAX,
  });
}

/** A doc comment: one line if it fits, and nothing if there is nothing to say. */
export function comment(description: string | undefined): string {
  if (!description) return '';
  const text = description.replaceAll('*/', '*\\/');
  const lines = wrap(text);
  return lines.length === 1 ? `/** ${text} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > COLUMNS - 12) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
