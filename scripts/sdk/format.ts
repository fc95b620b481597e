import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Line width of generated files. */

const COLUMNS = 116;
const BIOME_MS_MAX = 30_000;

const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));

/** Formats a generated file with the project's formatter, so that it can be read and checked like any other file. */
export function formatGenerated(path: string, text: string): string {
  const header =
    '// Generated from src/contract by `npm run docs`; a test checks it. Change the contract, not this file.\n\n';
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    input: header + text,
    encoding: 'utf8',
    timeout: BIOME_MS_MAX,
  });
}

/** Returns a doc comment, on one line if it fits. Returns an empty string if there is no description. */
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
