import { parse } from '@babel/parser';

/** A piece of text that a person reads: a comment, a string or a line of a document. */
export interface Text {
  readonly file: string;
  readonly line: number;
  readonly kind: 'comment' | 'string' | 'test name' | 'line';
  readonly text: string;
}

/** Returns the texts of a file. Quotations and code inside a text are blanked out by default, because they are exempt. */
export function textsOf(file: string, content: string, { keepQuotations = false } = {}): Text[] {
  const texts = /\.tsx?$/.test(file) ? textsOfSource(file, content) : textsOfDocument(file, content);
  if (keepQuotations) return texts;
  return texts.map((text) => ({ ...text, text: withoutQuotations(text.text) })).filter(({ text }) => /\w/.test(text));
}

interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

function textsOfSource(file: string, content: string): Text[] {
  const ast = parse(content, {
    sourceType: 'module',
    plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'],
  });
  const comments = joinLineComments(ast.comments ?? []).map(
    ({ line, text }) => ({ file, line, kind: 'comment', text }) as const,
  );
  return [...comments, ...stringsBelow(file, ast.program as unknown as Node)];
}

interface Comment {
  readonly type: string;
  readonly value: string;
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } } | null;
}

/** Joins `//` comments on consecutive lines, so that a sentence is not split. */
function joinLineComments(comments: readonly Comment[]): { line: number; text: string }[] {
  const joined: { line: number; lastLine: number; column: number; text: string }[] = [];
  for (const { type, value, loc } of comments) {
    if (!loc || /^\s*(biome-ignore|oxlint|@ts-)/.test(value)) continue;
    const { line, column } = loc.start;
    const previous = joined.at(-1);
    if (type === 'CommentLine' && previous?.lastLine === line - 1 && previous.column === column) {
      previous.text += `\n${value}`;
      previous.lastLine = line;
    } else {
      const text = value.replace(/^\s*\*+ ?/gm, '');
      joined.push({ line, lastLine: type === 'CommentLine' ? line : Number.NaN, column, text });
    }
  }
  return joined;
}

/** Returns every string that contains a space, except types and module names. */
function stringsBelow(file: string, root: Node): Text[] {
  const texts: Text[] = [];
  const visit = (value: unknown, isTestName: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, isTestName);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    const text = stringValue(node);
    if (text !== undefined && /\S\s+\S/.test(text))
      texts.push({ file, line: node.loc?.start.line ?? 0, kind: isTestName ? 'test name' : 'string', text });
    if (text !== undefined && node.type !== 'TemplateLiteral') return;
    const names = testNames(node);
    for (const [key, child] of Object.entries(node)) {
      if (key === 'loc' || key.endsWith('omments')) continue;
      if (key === 'arguments' && Array.isArray(child) && names)
        child.forEach((argument, index) => {
          visit(argument, index === 0);
        });
      else if (!(node.type === 'TemplateLiteral' && key === 'quasis')) visit(child, isTestName && !names);
    }
  };
  visit(root, false);
  return texts;
}

function stringValue(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value as string;
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = node.quasis as readonly { readonly value: { readonly cooked?: string; readonly raw: string } }[];
  return parts.map(({ value }) => value.cooked ?? value.raw).join('…');
}

/** Returns whether a node is a call whose first argument names a test. */
function testNames(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = node.callee as Node & { readonly name?: string; readonly property?: { readonly name?: string } };
  return ['test', 'it', 'describe', 'suite'].includes(callee.name ?? callee.property?.name ?? '');
}

/** A line that continues a paragraph or list item: it starts no heading, table, list item, comment or code block. */
const continuation = /^\s*(?!#|\||>|[-*+] |\d+\. |<!--|```)\S/;

/** Returns the paragraphs, table cells and comments of a file that is not TypeScript, without code blocks. */
function textsOfDocument(file: string, content: string): Text[] {
  const isMarkdown = file.endsWith('.md');
  const texts: { -readonly [Key in keyof Text]: Text[Key] }[] = [];
  let inCode = false;
  let inParagraph = false;
  content.split('\n').forEach((source, index) => {
    if (isMarkdown && /^\s*(```|~~~)/.test(source)) inCode = !inCode;
    const last = texts.at(-1);
    if (inParagraph && !inCode && last && continuation.test(source)) {
      last.text += ` ${source.trim()}`;
      return;
    }
    inParagraph = isMarkdown && !inCode && !/^\s*(?:[#|]|<!--|```|$)/.test(source);
    if (inCode) return;
    for (const cell of isMarkdown && source.startsWith('|') ? source.split('|') : [source]) {
      const text = cell.replace(/^\s*(#|--|\/\/|[-*>]|\d+\.)\s*/, '').trim();
      if (text !== '') texts.push({ file, line: index + 1, kind: 'line', text });
    }
  });
  return texts;
}

function withoutQuotations(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/`[^`\n]*`/g, ' x ')
    .replace(/"[^"\n]{0,200}"|“[^”]*”|「[^」]*」/g, ' x ')
    .replace(/\]\([^)]*\)/g, ']');
}
