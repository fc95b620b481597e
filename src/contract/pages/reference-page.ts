import { type ProblemName, problems } from '#src/domain/problem.ts';
import { exampleCommand, exampleResponse } from '../example-text.ts';
import { fieldRows } from '../field-rows.ts';
import { describeOperation, type Example, type Operation, problemsOf } from '../operation.ts';
import { responseHeaders } from '../response-headers.ts';
import { taggedOperations } from '../tags.ts';
import { brand, escapeHtml, inlineMarkup, type Page, pageOf, referenceScript } from './html.ts';

/** Returns the page of `GET /reference`: every operation, grouped and searchable. */
export function referencePage(version: string): Page {
  return pageOf({
    title: `Carillon ${version}: API reference`,
    script: referenceScript,
    body: `<a class="skip" href="#content">Skip to the content</a>
<header>
${brand}
<span class="version">API reference ${version}</span>
<label class="search">Search <input type="search" id="search" autocomplete="off" placeholder="Path, field or word" aria-keyshortcuts="/"></label>
<span id="matches" role="status"></span>
</header>
<div class="columns">
<details class="menu" open>
<summary>Operations</summary>
<nav aria-label="Operations">
<p><a href="#every-call">Every call</a></p>
${taggedOperations.map(menuGroup).join('\n')}
<p><a href="/openapi.json">OpenAPI 3.1 document</a></p>
</nav>
</details>
<main id="content" tabindex="-1">
${INTRODUCTION}
${taggedOperations.map(group).join('\n')}
</main>
</div>`,
  });
}

type Group = (typeof taggedOperations)[number];

const menuGroup = ({ tag, operations }: Group): string => `<div class="group">
<h2>${nameOf(tag)}</h2>
<ul>${operations.map((o) => `<li><a href="#${anchor(o)}" data-operation="${anchor(o)}">${escapeHtml(o.path)}</a></li>`).join('')}</ul>
</div>`;

const group = ({ tag, description, operations }: Group): string => `<div class="group">
<h2 class="tag">${nameOf(tag)}</h2>
<p>${inlineMarkup(description)}</p>
${operations.map(section).join('\n')}
</div>`;

const nameOf = (tag: string): string => `${tag.slice(0, 1).toUpperCase()}${tag.slice(1)}`;

const INTRODUCTION = `<section class="intro" id="every-call">
<h1>Every call</h1>
<p>Bodies are JSON. Every response has three fields: <code>code</code> (200 if the call succeeded), <code>data</code>, and
<code>message</code> (null if the call succeeded). An optional field is <b>blank</b> if it is absent, <code>null</code>,
<code>""</code>, a string of spaces, <code>[]</code> or <code>{}</code>. A blank field counts as not set. Unknown fields are ignored,
except that <code>/push/notify</code>, <code>/push/validate</code> and <code>/push/draft/create</code> reject names that are close to a
known field. Integers have up to 64 bits.</p>
<h2>Variables of the examples</h2>
<p>If the service was started with <code>npm run dev</code>, run <code>source .dev.env</code> in the folder of the repository. It sets
every variable. Otherwise, set the variables yourself:</p>
<pre># URL of the API
export CARILLON_URL='https://push.example.com'
# ID of the app
export CARILLON_APP_ID='demo'
# admin token with the required scope
export CARILLON_ADMIN_TOKEN='ca_…'
# token of a login with a device_guid
export CARILLON_USER_TOKEN='cu_…'</pre>
<p>The IDs, names and passwords in the bodies are examples. Replace them with yours. In the demo of <code>npm run dev</code>, the user
<code>ada</code> has the ID 100001, the email address <code>ada@example.com</code> and the password <code>ada-password</code>. The admin
token of the demo does not have the scope <code>platform</code>.</p>
<h2>Request headers</h2>
${table(
  ['Header', 'Type', 'Required', 'Meaning'],
  [
    [
      'app_id',
      'string',
      'yes',
      'App ID. Some proxies drop headers whose name contains an underscore. nginx needs `underscores_in_headers on`.',
    ],
    [
      'access-token',
      'string',
      'if the operation requires it',
      'Access token of a user (`token` in the response of a login), or admin token.',
    ],
    [
      'carillon-csrf',
      'string',
      'with a session',
      'Value of `csrf_token` in the response of `/operator/session`, if the cookie of a session replaces the token.',
    ],
    [
      'user_id',
      'int64',
      'no',
      'With an admin token: the call is made on behalf of this user. With an access token: must be the ID of the same user.',
    ],
    [
      'group_id',
      'int64',
      'no',
      'Only with an admin token: the call is made as an admin of this group and reaches only its members.',
    ],
    [
      'accept-language',
      'string',
      'no',
      'Languages that the reader prefers. Explanations and notes are in Chinese if it is preferred to English, and in English otherwise.',
    ],
  ],
)}
<h2>Response headers</h2>
${table(
  ['Header', 'Type', 'Meaning'],
  responseHeaders.map(({ name, type, description }) => [name, type, description]),
)}
</section>`;

function section(operation: Operation): string {
  const { method, path, summary, access, query, body, data, examples } = operation;
  return `<section class="operation" id="${anchor(operation)}">
<h3 class="operation-name"><a href="#${anchor(operation)}"><span class="method">${method}</span> ${path}</a></h3>
<p class="summary">${escapeHtml(summary)}${access === 'open' ? '' : ` <span class="token">requires ${access === 'session' ? 'a session' : 'access-token'}</span>`}</p>
<p>${inlineMarkup(describeOperation(operation))}</p>
${query ? `<h4>Query</h4>${fieldTable(query)}` : ''}
${body ? `<h4>Body</h4>${fieldTable(body)}` : ''}
<h4>Response data</h4>${fieldTable(data)}
${examples.map((example) => exampleOf(operation, example)).join('\n')}
${problemTable(problemsOf(operation))}
</section>`;
}

function fieldTable(schema: unknown): string {
  const rows = fieldRows(schema).map(({ name, type, required, description, limits }) => {
    const bounds = limits.length > 0 ? ` (${limits.join('; ')})` : '';
    return [name, type, required ? 'yes' : 'no', `${description}${bounds}`];
  });
  return rows.length === 0 ? '<p>Empty object.</p>' : table(['Field', 'Type', 'Required', 'Meaning'], rows);
}

/** The first column contains names. The label of a cell is displayed on narrow screens, where a row is a block. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    row.map((cell, i) =>
      i === 0
        ? `<th scope="row"><code>${escapeHtml(cell)}</code></th>`
        : `<td data-label="${heads[i]}">${inlineMarkup(cell)}</td>`,
    );
  return `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells(row).join('')}</tr>`)
    .join('')}</tbody></table>`;
}

function problemTable(names: readonly ProblemName[]): string {
  const rows = names.map((name) => [String(problems[name].code), String(problems[name].status), problems[name].text]);
  return `<details class="errors"><summary>${names.length} possible errors</summary>${table(['Code', 'Status', 'Message begins with'], rows)}</details>`;
}

const exampleOf = (operation: Operation, example: Example): string =>
  `<h4>Example: ${escapeHtml(example.name)}</h4><pre>${escapeHtml(exampleCommand(operation, example))}</pre>
<details class="response" open><summary>Response</summary><pre>${escapeHtml(exampleResponse(example))}</pre></details>`;

const anchor = ({ path }: Operation): string => path.slice(1).replaceAll('/', '-');
