import { exampleCommand, exampleResponse } from '#src/contract/example-text.ts';
import {
  bodyProblems,
  commonProblems,
  type Example,
  type Operation,
  problemsOf,
  tokenProblems,
} from '#src/contract/operation.ts';
import { operations } from '#src/contract/operations.ts';
import { responseHeaders } from '#src/contract/response-headers.ts';
import { type ProblemName, problems } from '#src/domain/problem.ts';
import { requestTable, responseTable } from './field-table.ts';

/**
 * The pages of the reference. Each page lists the operations whose path starts with one of its prefixes, in this order.
 */
const pages = [
  {
    name: 'tokens',
    title: 'Reference: tokens',
    for: 'These operations register users, log users in and out, and return the access tokens that other operations require.',
    prefixes: ['/token/', '/user/'],
  },
  {
    name: 'push',
    title: 'Reference: push',
    for: 'These operations send notifications, and return their statistics and results.',
    prefixes: ['/push/notify', '/push/validate', '/push/task/', '/push/statistics/', '/push/certificate'],
  },
  {
    name: 'drafts',
    title: 'Reference: drafts',
    for: 'These operations store a notification as a draft, and send it when an admin approves it. [Approve notifications](../../backend/approval.md) explains their use.',
    prefixes: ['/push/draft/'],
  },
  {
    name: 'devices',
    title: 'Reference: devices',
    for: 'With these operations, an app registers the vendor token, tags, alias and badge of its device, and reports receipts. A backend can use them for any device with an admin token.',
    prefixes: ['/device/'],
  },
  {
    name: 'apps',
    title: 'Reference: apps and admin tokens',
    for: 'These operations change the settings of an app, manage all apps of an installation, and manage admin tokens.',
    prefixes: ['/admin/app/', '/admin/token/'],
  },
  {
    name: 'users',
    title: 'Reference: users and groups',
    for: 'These operations manage users, their logins and groups. They are for operators, and for backends that have their own user accounts.',
    prefixes: ['/admin/user/', '/admin/group/'],
  },
  {
    name: 'vendors',
    title: 'Reference: vendor credentials and channels',
    for: 'These operations manage the credentials for the vendors, and return the status of their channels. [Vendor credentials](../../vendors/credentials.md) lists the values that each vendor requires.',
    prefixes: ['/admin/certificate/', '/admin/channel/'],
  },
  {
    name: 'oversight',
    title: 'Reference: search, audit and ledger',
    for: 'These operations look up any ID, find and delete devices, return the audit log, check the ledger, and retry quarantined tasks.',
    prefixes: ['/admin/lookup', '/admin/device/', '/admin/audit/', '/admin/ledger/', '/admin/task/'],
  },
  {
    name: 'operators',
    title: 'Reference: operators',
    for: 'With these operations, operators sign in to the console, and platform operators manage operators and their roles. They need no header `app_id`, except with an admin token. [Operators](../../operate/operators.md) explains sessions and roles.',
    prefixes: ['/operator/'],
  },
] as const;

/** Returns the pages in `docs/reference/http/`, generated from the contract. */
export function referencePages(): Record<string, string> {
  const pagesWithOperations = pages.map(({ name, prefixes, ...page }) => {
    const pageOperations = prefixes.flatMap((prefix) => operations.filter(({ path }) => path.startsWith(prefix)));
    return { ...page, file: `${name}.md`, operations: pageOperations };
  });
  const missing = operations.filter(
    (operation) => !pagesWithOperations.some((page) => page.operations.includes(operation)),
  );
  if (missing.length > 0)
    throw new Error(
      `Operations without a reference page: ${missing.map(({ path }) => path).join(', ')}. Add a prefix to one of the pages.`,
    );
  return Object.fromEntries([
    ['docs/reference/http/README.md', indexPage(pagesWithOperations)],
    ...pagesWithOperations.map((page) => [`docs/reference/http/${page.file}`, topicPage(page)]),
  ]);
}

interface Page {
  readonly title: string;
  readonly for: string;
  readonly file: string;
  readonly operations: readonly Operation[];
}

const indexPage = (all: readonly Page[]): string => `# Reference: HTTP API

This reference describes every operation of the HTTP API, and the conventions that all operations share. A running API
process serves it as a web page at \`GET /reference\`, and as an OpenAPI 3.1 document at \`GET /openapi.json\`. The
repository contains the same [OpenAPI document](../../openapi.json). The
[TypeScript client](../../../sdk/README.md) has a method for each operation, and the [command line](../cli.md) has a
command.

These pages are generated from the code with \`npm run docs\`. Tests compare them with the code and send every example.

## Every call

Requests and responses are JSON in UTF-8. A request body has at most 16 KiB, or 256 KiB if it can
contain a message or a certificate, and at most 4,096 values. Every response is an object with these fields:

| Field | Type | Meaning |
|---|---|---|
| \`code\` | int32 | 200 if the call succeeded; otherwise an [error code](../errors.md) |
| \`data\` | object, array or null | result of the operation; null if the call failed |
| \`message\` | string or null | null if the call succeeded; otherwise a description of the error |

A failed call also has an HTTP error status. If the app setting \`http_errors\` is \`always200\`, the status is always 200.

### Blank fields

An optional field is **blank** if it is absent, \`null\`, \`""\`, a string of spaces, \`[]\` or \`{}\`. A blank field counts as
not set.

### Unknown fields

Unknown fields are ignored. On \`/push/notify\`, \`/push/validate\` and \`/push/draft/create\`, two rules protect
against misspelled fields:

- The response header \`carillon-ignored-fields\` lists the paths of ignored fields, such as \`message.colour\`. If the list
  is longer than 1,024 characters, it ends with \`...\`.
- A field whose name is close to a known field of the same object is rejected with
  [error 10002](../errors.md#error-10002-invalid-parameter). A name of up to five letters is close after one edit, a
  longer name after two edits. A name in another style, such as \`showBeginTime\`, is also close. To turn this rule off,
  set \`reject_typos\` to \`false\` with \`/admin/app/update\`.

The content of \`message.ext\` is never checked.

### Integers

Fields of the type int64, such as IDs, can have values up to 2^63−1. A double rounds values above 2^53. If your language
parses JSON numbers as doubles, use a parser that supports big integers.

### Headers

| Header | Type | Required | Meaning |
|---|---|---|---|
| \`app_id\` | string | yes | ID of the app |
| \`access-token\` | string | if the operation requires a token | access token of a user, or admin token |
| \`carillon-csrf\` | string | with the session of an operator | \`csrf_token\` of \`/operator/session\` |
| \`user_id\` | int64 | no | user for whom an admin token makes the call |
| \`group_id\` | int64 | no | group for which an admin token makes the call; only its members are reached |
| \`accept-language\` | string | no | preferred languages of explanations; English by default |
| \`content-type\` | string | if the request has a body | \`application/json\` |
| \`x-request-id\` | string | no | ID of the request in the log; see below |

- Every response has the header \`X-Request-Id\`, and every log line about the request contains the same ID. If a request
  has this header with at most 64 letters, digits, \`.\`, \`_\`, \`:\` or \`-\`, this ID is used. It is not the idempotency key
  \`request_id\` of a notification.
- An access token is the \`token\` in the response of a login. With an access token, \`user_id\` must be the ID of the
  same user, and \`group_id\` is not allowed.
- An operator who has signed in sends the cookie of the session instead of \`access-token\`. The role of the operator in
  the app decides. See [Operators](../../operate/operators.md).
- Explanations, notes and advice follow \`accept-language\`. They are in Chinese if the header prefers \`zh\` to \`en\`, and
  in English otherwise. Such responses have the header \`Vary: Accept-Language\`. Error messages, and words of vendors,
  are not translated.
- Some proxies drop headers whose name contains an underscore. nginx needs \`underscores_in_headers on\`. See
  [Proxies and TLS](../../operate/proxies.md).

[Permissions and rate limits](../permissions.md) lists the operations that each token can use, and the rate limits.

### Examples

The examples use these variables. If you started the service with \`npm run dev\`, run \`source .dev.env\`, which sets all of
them. Otherwise, set them yourself:

- \`$CARILLON_URL\`: URL of the API, such as \`https://push.example.com\`
- \`$CARILLON_APP_ID\`: ID of the app
- \`$CARILLON_ADMIN_TOKEN\`: an admin token with the required scope
- \`$CARILLON_USER_TOKEN\`: an access token from a login with a \`device_guid\`

The IDs, names and passwords in the bodies are examples. Replace them with yours. In the demo, the user \`ada\` has the ID
100001, the email address \`ada@example.com\` and the password \`ada-password\`. The admin token of the demo does not have
the scope \`platform\`.

### Clients in other languages

[OpenAPI Generator](https://openapi-generator.tech) generates clients from the OpenAPI document. The tests use its version
7.14.0 to generate clients for Python, Go and Java, and send a notification with each of them. Install the generator as its
website describes, and run it in a clone of the repository:

<!-- not run: test/clients/generated-clients.test.ts generates the clients -->

\`\`\`sh
openapi-generator-cli generate -g python -i docs/openapi.json -o ../carillon-client \\
  --additional-properties disallowAdditionalPropertiesIfNotPresent=false,packageName=carillonpush
pip install ../carillon-client
\`\`\`

The first property is necessary, so that clients accept response fields that a later version adds. This Python program
sends a notification:

\`\`\`python
import os

import carillonpush as carillon

configuration = carillon.Configuration(host=os.environ["CARILLON_URL"])
configuration.api_key["app_id"] = os.environ["CARILLON_APP_ID"]
configuration.api_key["access_token"] = os.environ["CARILLON_ADMIN_TOKEN"]
with carillon.ApiClient(configuration) as client:
    audience = carillon.Audience(carillon.AudienceSelection(user_id=[100001]))
    message = carillon.Message(title="Hello", body="Sent from Python")
    request = carillon.PushNotifyRequest(audience=audience, message=message)
    print(carillon.PushApi(client).push_notify(request).data.task_id)
\`\`\`

For Go, use \`-g go\` with the properties \`disallowAdditionalPropertiesIfNotPresent=false,packageName=carillon\`. For Java,
use \`-g java\` with \`disallowAdditionalPropertiesIfNotPresent=false,library=native,openApiNullable=false\`.

### Response headers

| Header | Type | Meaning |
|---|---|---|
${responseHeaders.map(({ name, type, description }) => `| \`${name}\` | ${type} | ${description} |`).join('\n')}

## Errors of every call

The following errors are possible for many operations. The description of each operation lists only its other errors.
[Error codes](../errors.md) explains the cause and the next step of every error.

${problemTable([...commonProblems, ...bodyProblems, ...tokenProblems], (name) =>
  bodyProblems.includes(name)
    ? 'POST operations'
    : tokenProblems.includes(name)
      ? 'operations that require a token'
      : 'all operations',
)}

## Operations

${all.map((page) => `**[${page.title.replace('Reference: ', '').replace(/^./, (first) => first.toUpperCase())}](${page.file})**\n\n${operationTable(page)}`).join('\n\n')}
`;

const operationTable = ({ file, operations: pageOperations }: Page): string =>
  [
    '| Operation | Description | Required token |',
    '|---|---|---|',
    ...pageOperations.map(
      (operation) =>
        `| [\`${operation.path}\`](${file}#${anchorOf(operation)}) | ${operation.summary} | ${tokenOf(operation)} |`,
    ),
  ].join('\n');

const topicPage = (page: Page): string => `# ${page.title}

${page.for}
[HTTP API](README.md#every-call) describes headers, responses, blank fields, and the variables in the examples.

<!-- not run: test/contract/examples.test.ts sends every example -->

${page.operations.map((operation) => section(operation, page.operations)).join('\n')}`;

function section(operation: Operation, pageOperations: readonly Operation[]): string {
  const { method, path, summary, description, query, body, data, examples, audit } = operation;
  const common = problemsOf({ ...operation, problems: [] });
  const own = operation.problems.filter((name) => !common.includes(name));
  const recordedCalls = operation.access === 'token' ? 'Calls with an admin token' : 'Calls';
  const recorded = audit ? ` ${recordedCalls} are recorded in the audit log.` : '';
  const parts = [
    `## ${path}`,
    `**${summary}.** ${description}`,
    `\`${method} ${path}\` requires ${tokenOf(operation)}.${recorded}`,
    query && `**Query**\n\n${requestTable(query)}`,
    body && `**Body**\n\n${bodyTable(operation, pageOperations)}`,
    responsePart(data),
    own.length > 0 &&
      `**Errors**, in addition to the [errors of every call](README.md#errors-of-every-call)\n\n${problemTable(own)}`,
    ...examples.map((example) => exampleOf(operation, example)),
  ];
  return `${parts.filter((part) => typeof part === 'string').join('\n\n')}\n`;
}

function responsePart(data: Operation['data']): string {
  const table = responseTable(data);
  if (table === undefined) return '**Response**: `data` is an empty object.';
  return 'items' in data
    ? `**Response**: \`data\` is an array of objects with these fields\n\n${table}`
    : `**Response**: \`data\` is an object with these fields\n\n${table}`;
}

/** Returns the fields of the body, or a link to an earlier operation that has the same body. */
function bodyTable(operation: Operation, pageOperations: readonly Operation[]): string {
  const model = pageOperations.find(({ body }) => body === operation.body);
  return model && model !== operation
    ? `The fields are the same as those of [\`${model.path}\`](#${anchorOf(model)}).`
    : requestTable(operation.body);
}

function tokenOf({ access, scope }: Operation): string {
  if (access === 'open') return 'no token';
  if (access === 'session') return 'the session of an operator';
  if (scope === null) return "a user's access token";
  const admin = `an admin token with the scope \`${scope}\``;
  return access === 'admin' ? admin : `a user's access token, or ${admin}`;
}

function problemTable(names: readonly ProblemName[], where?: (name: ProblemName) => string): string {
  const rows = names.map((name) => {
    const { code, status, text } = problems[name];
    return `| ${code} | ${status} | ${text} |${where ? ` ${where(name)} |` : ''}`;
  });
  const whereColumn = where ? [' Returned by |', '---|'] : ['', ''];
  return [`| Code | Status | Message begins with |${whereColumn[0]}`, `|---|---|---|${whereColumn[1]}`, ...rows].join(
    '\n',
  );
}

const exampleOf = (operation: Operation, example: Example): string =>
  `**Example**: ${example.name}\n\n\`\`\`sh\n${exampleCommand(operation, example)}\n\`\`\`\n\n\`\`\`json\n${exampleResponse(example)}\n\`\`\``;

/** Returns the anchor of the heading in the form that repository viewers use. */
const anchorOf = ({ path }: Operation): string => path.replaceAll('/', '');
