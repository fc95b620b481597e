import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A page and the content security policy that allows exactly its style and its script. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const style = read('page.css');
const bell = read('bell.svg');
const icon = `data:image/svg+xml;base64,${Buffer.from(bell).toString('base64')}`;

export const referenceScript = read('reference-script.js');

/** Returns a page that loads nothing: the style, the script and the icon are part of it. */
export function pageOf({ title, body, script }: { title: string; body: string; script?: string }): Page {
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
  return { html, policy };
}

export const brand = `<a class="brand" href="/">${bell}Carillon</a>`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Converts text with \`code\` and **strong** markup to HTML. */
export const inlineMarkup = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
