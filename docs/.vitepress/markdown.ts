import { existsSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { addressOf, notPages } from './pages.ts';

/** Renders pages as a repository viewer does. */
export function asInTheRepository(md: MarkdownRenderer, root: string): void {
  md.core.ruler.disable('emoji');
  hideComments(md);
  showBraces(md);
  joinChineseLines(md);
  labelCells(md);
  leadToPages(md, root);
}

/**
 * Hides HTML comments on separate lines, because they are markers for tests and scripts. Other HTML is shown as text.
 */
function hideComments(md: MarkdownRenderer): void {
  md.block.ruler.before(
    'paragraph',
    'comment',
    (state, begin, end, silent) => {
      const lineAt = (line: number) => state.getLines(line, line + 1, state.blkIndent, false);
      if (!lineAt(begin).startsWith('<!--')) return false;
      if (silent) return true;
      let last = begin;
      while (last < end - 1 && !lineAt(last).includes('-->')) last += 1;
      state.line = last + 1;
      return true;
    },
    { alt: ['paragraph'] }, // a comment may end a paragraph without an empty line before it
  );
}

/** Escapes double braces, which Vue would parse as an expression. */
function showBraces(md: MarkdownRenderer): void {
  md.renderer.rules.text = (tokens, index) =>
    md.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '&#123;&#123;');
}

/** Removes line breaks inside Chinese text, which browsers would show as spaces. */
function joinChineseLines(md: MarkdownRenderer): void {
  const punctuation = /[\u3000-\u303f\uff00-\uffef]/u;
  const chinese = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
  md.core.ruler.push('join-chinese-lines', ({ tokens }) => {
    for (const { children } of tokens)
      for (const [index, token] of (children ?? []).entries()) {
        if (token.type !== 'softbreak') continue;
        const before = textOf(children?.slice(0, index).reverse())?.at(-1) ?? '';
        const after = textOf(children?.slice(index + 1))?.at(0) ?? '';
        const isInside = chinese.test(before) && chinese.test(after);
        if (isInside || punctuation.test(before) || punctuation.test(after)) token.type = 'text';
      }
  });
}

/** Adds the heading of its column to each table cell, because narrow screens show the cells one below the other. */
function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('label-cells', ({ tokens }) => {
    let headings: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') headings = [];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') headings.push(tokens[index + 1]?.content ?? '');
      if (token.type === 'td_open') token.attrSet('data-label', headings[column++] ?? '');
    }
  });
}

/** Returns the first text of these parts, for example inside a link. */
const textOf = (parts: readonly { readonly content: string }[] | undefined): string | undefined =>
  parts?.find(({ content }) => content !== '')?.content;

/**
 * Replaces links to repository files with site addresses. A link to a file that is not on the site becomes plain text.
 */
function leadToPages(md: MarkdownRenderer, root: string): void {
  md.core.ruler.push('lead-to-pages', ({ tokens, env }) => {
    const { realPath, path } = env as { realPath?: string; path: string };
    const page = realPath ?? path;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href === null || /^(#|[\w+.-]+:)/.test(href)) continue;
      const [file = '', anchor] = href.split('#');
      const address = siteAddress(root, resolve(dirname(page), decodeURI(file)));
      if (address === undefined) throw new Error(`${relative(root, page)}: the link target ${href} does not exist.`);
      if (address === null) token.attrs = null;
      else token.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`);
    }
  });
}

/** Returns null if the file exists but is not on the site, and undefined if it does not exist. */
function siteAddress(root: string, file: string): string | null | undefined {
  if (!existsSync(file)) return undefined;
  const index = join(file, 'README.md');
  const path = relative(root, existsSync(index) ? index : file);
  if (path.endsWith('.md') && !notPages.some((pages) => matchesGlob(path, pages))) return `/${addressOf(path)}`;
  return /^docs\/[^/]+\.json$/.test(path) ? `/${relative('docs', path)}` : null;
}
