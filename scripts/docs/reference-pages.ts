import { bodyProblems, commonProblems, type Operation, tokenProblems } from '#src/contract/operation.ts';
import { operations } from '#src/contract/operations.ts';
import { type ProblemName, problems } from '#src/domain/problem.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { requestTable, responseTable } from './field-table.ts';

/** The pages of the reference. Each has the operations whose path starts with one of its prefixes, in this order. */
const pages = [
  {
    name: 'tokens',
    title: 'Reference: tokens',
    for: 'For whoever writes an app: how a person logs in and out, and gets the token that all other calls take.',
    prefixes: ['/token/', '/user/'],
  },
  {
    name: 'push',
    title: 'Reference: push',
    for: 'For whoever writes a backend: send a notification, and ask what became of it.',
    prefixes: ['/push/notify', '/push/validate', '/push/task/', '/push/certificate'],
  },
  {
    name: 'devices',
    title: 'Reference: devices',
    for: 'For whoever writes an app: what a device tells about itself. A backend calls the same for any device, with an admin token.',
    prefixes: ['/device/'],
  },
  {
    name: 'apps',
    title: 'Reference: apps and admin tokens',
    for: 'For operators: the settings of an app, all apps of an installation, and the tokens that backends call with.',
    prefixes: ['/admin/app/', '/admin/token/'],
  },
  {
    name: 'people',
    title: 'Reference: people and groups',
    for: 'For operators, and for backends that have accounts of their own: people, their logins, and groups of them.',
    prefixes: ['/admin/user/', '/admin/group/'],
  },
  {
    name: 'vendors',
    title: 'Reference: certificates and channels',
    for: 'For operators: credentials at the eight vendors ([what each of them wants](../certificates.md)), and how it stands with them.',
    prefixes: ['/admin/certificate/', '/admin/channel/'],
  },
  {
    name: 'oversight',
    title: 'Reference: oversight',
    for: 'For operators: find and remove devices, see who did what, and have the ledger recomputed.',
    prefixes: ['/admin/device/', '/admin/audit/', '/admin/ledger/'],
  },
] as const;

/** Returns `docs/reference.md` and the pages in `docs/reference/`, generated from the contract. */
export function referencePages(): Record<string, string> {
  const pagesWithOperations = pages.map(({ name, prefixes, ...page }) => {
    const pageOperations = prefixes.flatMap((prefix) => operations.filter(({ path }) => path.startsWith(prefix)));
    return { ...page, file: `reference/${name}.md`, operations: pageOperations };
  });
  const missing = operations.filter(
    (operation) => !pagesWithOperations.some((page) => page.operations.includes(operation)),
  );
  if (missing.length > 0)
    throw new Error(`No page of the reference has ${missing.map(({ path }) => path).join(', ')}.`);
  return Object.fromEntries([
    ['docs/reference.md', indexPage(pagesWithOperations)],
    ...pagesWithOperations.map((page) => [`docs/${page.file}`, topicPage(page)]),
  ]);
}

interface Page {
  readonly title: string;
  readonly for: string;
  readonly file: string;
  readonly operations: readonly Operation[];
}

const indexPage = (all: readonly Page[]): string => `# Reference: the HTTP interface

For whoever calls Carillon from a program: what all calls have in common, and every operation. The same is at
\`GET /reference\` of a running service, and for tools at \`GET /openapi.json\` ([openapi.json](openapi.json), OpenAPI 3.1). The
[TypeScript client](../sdk/README.md) and the [command line](cli.md) have a method and a command for each. These pages are made by \`npm run docs\`; a
test holds them equal to the code, and another one sends every example.

## Every call

Bodies are JSON in UTF-8, at most 256 KB. Every answer is an envelope:

| Field | Type | Meaning |
|---|---|---|
| \`code\` | int32 | 200 is success; else one of the [problems](problems.md) |
| \`data\` | object or array | what the operation answers; null if it failed |
| \`message\` | string or null | null on success; else what is wrong and what to do |

A failure also has an HTTP status of its own, unless the app is set to \`http_errors: always200\`.

**Blank** means not given: absent, \`null\`, \`""\`, only spaces, \`[]\` and \`{}\` are the same for every optional field. Unknown fields are
ignored. Integers are exact up to 2^63−1: a program whose numbers are doubles must read them as text or as big integers.

| Header | Type | Required | Meaning |
|---|---|---|---|
| \`app_id\` | string | yes | The app. Proxies may drop headers with an underscore: nginx needs \`underscores_in_headers on\` ([proxies](proxies.md)). |
| \`access-token\` | string | where an operation says so | The \`token\` of a login, or an admin token. |
| \`user_id\` | int64 | no | With an admin token: the call is made on behalf of this user. A user's token may name its own user only. |
| \`group_id\` | int64 | no | With an admin token: the call is made as an admin of this group, and reaches its members only. |
| \`content-type\` | string | with a body | \`application/json\` |

Who may do what with which token, and how often: [callers](callers.md).

## Problems of every call

Each operation lists the problems of its own. Besides, it may answer these; what to do about each says [problems](problems.md).

${problemTable([...commonProblems, ...bodyProblems, ...tokenProblems], (name) =>
  bodyProblems.includes(name) ? 'POST' : tokenProblems.includes(name) ? 'calls with a token' : 'every call',
)}

## Operations

${all.map((page) => `**[${page.title.replace('Reference: ', '').replace(/^./, (first) => first.toUpperCase())}](${page.file})**\n\n${operationTable(page)}`).join('\n\n')}
`;

const operationTable = ({ file, operations: pageOperations }: Page): string =>
  [
    '| Operation | What it does | Takes |',
    '|---|---|---|',
    ...pageOperations.map(
      (operation) =>
        `| [\`${operation.path}\`](${file}#${anchorOf(operation)}) | ${operation.summary} | ${tokenOf(operation)} |`,
    ),
  ].join('\n');

const topicPage = (page: Page): string => `# ${page.title}

${page.for} What all calls have in common is on the [first page](../reference.md).

<!-- not run: test/contract/examples.test.ts sends every example -->

${page.operations.map(section).join('\n')}`;

function section(operation: Operation): string {
  const { method, path, summary, description, query, body, data, examples, audit } = operation;
  const common = [...commonProblems, ...bodyProblems, ...tokenProblems];
  const own = operation.problems.filter((name) => !common.includes(name));
  const recorded = audit ? ' Calls by an admin token are recorded in the audit.' : '';
  const parts = [
    `## ${path}`,
    `**${summary}.** ${description}`,
    `\`${method} ${path}\` takes ${tokenOf(operation)}.${recorded}`,
    query && `**Query**\n\n${requestTable(query)}`,
    body && `**Body**\n\n${requestTable(body)}`,
    `**Answer**, in \`data\`\n\n${responseTable(data)}`,
    own.length > 0 &&
      `**Problems** beside [those of every call](../reference.md#problems-of-every-call)\n\n${problemTable(own)}`,
    ...examples.map((example) => exampleOf(operation, example)),
  ];
  return `${parts.filter((part) => typeof part === 'string').join('\n\n')}\n`;
}

function tokenOf({ access, scope }: Operation): string {
  if (access === 'open') return 'no token';
  const admin = scope === null ? 'any admin token' : `an admin token with the scope \`${scope}\``;
  return access === 'admin' ? admin : `a user's token, or ${admin}`;
}

function problemTable(names: readonly ProblemName[], where?: (name: ProblemName) => string): string {
  const rows = names.map((name) => {
    const { code, status, text } = problems[name];
    return `| ${code} | ${status} | ${text} |${where ? ` ${where(name)} |` : ''}`;
  });
  const whereColumn = where ? [' Where |', '---|'] : ['', ''];
  return [`| Code | Status | Message begins with |${whereColumn[0]}`, `|---|---|---|${whereColumn[1]}`, ...rows].join(
    '\n',
  );
}

function exampleOf({ method, path, access }: Operation, example: Operation['examples'][number]): string {
  const query = example.query ? `?${new URLSearchParams(example.query)}` : '';
  const lines = [
    `curl -X ${method} "$CARILLON_URL${path}${query}"`,
    '-H "app_id: $CARILLON_APP_ID"',
    access !== 'open' && '-H "access-token: $TOKEN"',
    example.body && '-H "content-type: application/json"',
    example.body && `-d '${printJson(example.body).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
  ].filter((line) => typeof line === 'string');
  const response = printJson({ code: 200, data: example.data, message: null });
  return `**Example**: ${example.name}\n\n\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\`\n\n\`\`\`json\n${response}\n\`\`\``;
}

/** Prints JSON with lists of plain values on one line. */
const printJson = (value: unknown): string =>
  stringifyJson(value, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s*\]/g,
    (_, items: string) => `[${items.replaceAll(/,\n\s+/g, ', ')}]`,
  );

/** Returns the anchor of the heading in the form that repository viewers use. */
const anchorOf = ({ path }: Operation): string => path.replaceAll('/', '');
