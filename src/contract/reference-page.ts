import { type ProblemName, problems } from '#src/domain/problem.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { fieldRows } from './field-rows.ts';
import { describeOperation, type Operation, problemsOf } from './operation.ts';
import { operations } from './operations.ts';

/** Returns the API reference as one HTML page, without scripts, fonts or other external resources. */
export function referencePage(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carillon ${version}: reference</title>
<style>${STYLE}</style>
</head>
<body>
<nav>
<h1>Carillon</h1>
<p>Version ${version}. Also available as <a href="openapi.json">OpenAPI 3.1</a>.</p>
<ul>${operations.map((o) => `<li><a href="#${anchor(o)}"><b>${o.method}</b> ${o.path}</a></li>`).join('')}</ul>
</nav>
<main>
${INTRODUCTION}
${operations.map(section).join('\n')}
</main>
</body>
</html>
`;
}

const INTRODUCTION = `<section>
<h2>Every call</h2>
<p>Bodies are JSON. Every response has three fields: <code>code</code> (200 if the call succeeded), <code>data</code>, and
<code>message</code> (null if the call succeeded). An optional field is <b>blank</b> if it is absent, <code>null</code>,
<code>""</code>, a string of spaces, <code>[]</code> or <code>{}</code>. A blank field counts as not set. Unknown fields are ignored.
Integers have up to 64 bits.</p>
<table><thead><tr><th>Header</th><th>Type</th><th>Required</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>app_id</code></td><td>string</td><td>yes</td><td>App ID. Some proxies drop headers whose name contains an underscore. nginx needs <code>underscores_in_headers on</code>.</td></tr>
<tr><td><code>access-token</code></td><td>string</td><td>if the operation requires it</td><td>Access token of a user (<code>token</code> in the response of a login), or admin token.</td></tr>
<tr><td><code>user_id</code></td><td>int64</td><td>no</td><td>With an admin token: the call is made on behalf of this user. With an access token: must be the ID of the same user.</td></tr>
<tr><td><code>group_id</code></td><td>int64</td><td>no</td><td>Only with an admin token: the call is made as an admin of this group and reaches only its members.</td></tr>
</tbody></table>
</section>`;

function section(operation: Operation): string {
  const { method, path, summary, access, query, body, data, examples } = operation;
  return `<section id="${anchor(operation)}">
<h2><span class="method">${method}</span> ${path}</h2>
<p class="summary">${escapeHtml(summary)}${access === 'open' ? '' : ' <span class="token">requires access-token</span>'}</p>
<p>${inlineMarkup(describeOperation(operation))}</p>
${query ? `<h3>Query</h3>${fieldTable(query)}` : ''}
${body ? `<h3>Body</h3>${fieldTable(body)}` : ''}
<h3>Response data</h3>${fieldTable(data)}
<h3>Errors</h3>${problemTable(problemsOf(operation))}
${examples.map((example) => exampleOf(operation, example)).join('\n')}
</section>`;
}

function fieldTable(schema: unknown): string {
  const rows = fieldRows(schema).map(({ name, type, required, description, limits }) => {
    const bounds = limits.length > 0 ? ` <span class="limits">${escapeHtml(limits.join('; '))}</span>` : '';
    return `<tr><td><code>${name}</code></td><td>${escapeHtml(type)}</td><td>${required ? 'yes' : 'no'}</td><td>${inlineMarkup(description)}${bounds}</td></tr>`;
  });
  if (rows.length === 0) return '<p>Empty object.</p>';
  return `<table><thead><tr><th>Field</th><th>Type</th><th>Required</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function problemTable(names: readonly ProblemName[]): string {
  const rows = names.map((name) => {
    const { code, status, text } = problems[name];
    return `<tr><td>${code}</td><td>${status}</td><td>${escapeHtml(text)}</td></tr>`;
  });
  return `<details><summary>${names.length} possible errors</summary><table><thead><tr><th>Code</th><th>Status</th><th>Message begins with</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}

function exampleOf({ method, path, access }: Operation, example: Operation['examples'][number]): string {
  const query = example.query ? `?${new URLSearchParams(example.query)}` : '';
  const lines = [
    `curl -X ${method} "$CARILLON_URL${path}${query}" -H "app_id: $CARILLON_APP_ID"`,
    access !== 'open' && '-H "access-token: $CARILLON_ADMIN_TOKEN"',
    example.body && `-H "content-type: application/json" -d '${stringifyJson(example.body)}'`,
  ].filter((line) => typeof line === 'string');
  const response = stringifyJson({ code: 200, data: example.data, message: null }, 2);
  return `<h3>Example: ${escapeHtml(example.name)}</h3><pre>${escapeHtml(lines.join(' \\\n  '))}</pre><pre class="answer">${escapeHtml(response)}</pre>`;
}

const anchor = ({ path }: Operation): string => path.slice(1).replaceAll('/', '-');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Converts text with \`code\` and **strong** markup to HTML. */
const inlineMarkup = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>');

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #b4541a; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); }
nav h1 { margin: 0; color: var(--accent); }
nav ul { list-style: none; padding: 0; } nav li { margin: .35rem 0; } nav b { font-size: .7rem; }
main { padding: 1.5rem 2.5rem 6rem; max-width: 70rem; }
section { border-bottom: 1px solid var(--line); padding: 1rem 0 2rem; }
h2 { font-size: 1.35rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
.method { font-size: .8rem; padding: .2rem .5rem; border-radius: .3rem; background: var(--accent); color: #fff; vertical-align: middle; }
.summary { font-weight: 600; } .token, .limits { font-weight: 400; font-size: .85rem; opacity: .75; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-top: 1px solid var(--line); }
td:first-child { white-space: nowrap; }
pre { background: var(--soft); padding: .8rem; border-radius: .4rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.answer { border-left: 3px solid var(--accent); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
