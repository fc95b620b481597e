import { type ProblemName, problems } from '#src/domain/problem.ts';
import { describeOperation, envelopeOf, type Operation, problemsOf, toWireSchema } from './operation.ts';
import { operations } from './operations.ts';

/** Returns the OpenAPI 3.1 document of the whole API, generated from the contract. */
export function openApiDocument(version: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Carillon', version, summary: 'Tokens and push notifications.', description: INTRODUCTION },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { [operation.method.toLowerCase()]: toOperation(operation) }]),
    ),
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'access-token',
          description: 'Access token of a user (`token` in the response of a login), or admin token.',
        },
      },
      parameters: Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [name, header])),
    },
  };
}

const INTRODUCTION = `Every response has three fields: \`code\` (200 if the call succeeded), \`data\`, and \`message\` (null if the call succeeded). If a call fails, \`data\` is null, and the response has an HTTP error status. With the app setting \`http_errors: always200\`, the status is always 200.\n\nAn optional field is **blank** if it is absent, \`null\`, \`""\`, a string of spaces, \`[]\` or \`{}\`. A blank field counts as not set. Unknown fields are ignored. Integers have up to 64 bits.`;

const TAGS = {
  token: 'Login and logout.',
  user: 'Self-registration of users.',
  push: 'Send notifications and query their results.',
  device: 'Vendor tokens, tags, aliases, badges and receipts of devices.',
  'admin app': 'The app and its settings.',
  'admin token': 'Admin tokens.',
  'admin user': 'Users and their logins.',
  'admin group': 'Groups and their members.',
  'admin certificate': 'Credentials for vendors.',
  'admin device': 'Search and deletion of devices.',
  'admin channel': 'Status of vendor channels.',
  'admin audit': 'Audit entries.',
  'admin ledger': 'Invariants of the ledger.',
};

const tagOf = (path: string): string => {
  const [, first, second] = path.split('/');
  return first === 'admin' ? `admin ${second}` : (first as string);
};

const int64 = { type: 'integer', format: 'int64' };

const HEADERS = {
  app_id: {
    name: 'app_id',
    in: 'header',
    required: true,
    description:
      'App ID. Some proxies drop headers whose name contains an underscore. nginx needs `underscores_in_headers on`.',
    schema: { type: 'string' },
  },
  user_id: {
    name: 'user_id',
    in: 'header',
    required: false,
    description:
      'With an admin token: the call is made on behalf of this user. With an access token: must be the ID of the same user.',
    schema: int64,
  },
  group_id: {
    name: 'group_id',
    in: 'header',
    required: false,
    description: 'Only with an admin token: the call is made as an admin of this group and reaches only its members.',
    schema: int64,
  },
} as const;

function toOperation(operation: Operation): object {
  const { path, summary, access, query, body } = operation;
  const headers = { open: ['app_id'], token: ['app_id', 'user_id', 'group_id'], admin: ['app_id', 'user_id'] }[access];
  return {
    tags: [tagOf(path)],
    operationId: path.slice(1).replaceAll('/', '-'),
    summary,
    description: describeOperation(operation),
    security: access === 'open' ? [] : [{ token: [] }],
    parameters: [
      ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: query?.required?.includes(name as never) ?? false,
        schema: toDocumentSchema(schema),
      })),
    ],
    ...(body && { requestBody: toRequestBody(operation) }),
    responses: { 200: toSuccessResponse(operation), ...toProblemResponses(problemsOf(operation)) },
  };
}

function toRequestBody({ body, examples }: Operation): object {
  return {
    required: body?.required !== undefined,
    content: {
      'application/json': {
        schema: toDocumentSchema(body),
        examples: Object.fromEntries(
          examples
            .filter((example) => example.body)
            .map(({ name, body: value }) => [keyOf(name), { summary: name, value }]),
        ),
      },
    },
  };
}

function toSuccessResponse({ data, examples }: Operation): object {
  return {
    description: 'Success.',
    content: {
      'application/json': {
        schema: toDocumentSchema(envelopeOf(data)),
        examples: Object.fromEntries(
          examples.map(({ name, data: value }) => [
            keyOf(name),
            { summary: name, value: { code: 200, data: value, message: null } },
          ]),
        ),
      },
    },
  };
}

/** Returns one response per HTTP status, with the error codes that can occur under it. */
function toProblemResponses(names: readonly ProblemName[]): Record<string, object> {
  const byStatus = Map.groupBy(names, (name) => problems[name].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((name) => `${problems[name].code}: ${problems[name].text}`).join(' '),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['code', 'data', 'message'],
              properties: {
                code: { type: 'integer', enum: [...new Set(group.map((name) => problems[name].code))] },
                data: { type: 'null' },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    ]),
  );
}

/**
 * Converts a schema to standard JSON Schema for the wire format. The serializer's `nullable` keyword becomes the type
 * `null`.
 */
export function toDocumentSchema(schema: unknown): unknown {
  const translate = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(translate);
    if (typeof node !== 'object' || node === null) return node;
    const { nullable, maxBytes: _maxBytes, type, ...rest } = node as Record<string, unknown>;
    const translated = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, translate(value)]));
    if (type === undefined) return translated;
    return { type: nullable ? [type, 'null'] : type, ...translated };
  };
  return translate(toWireSchema(schema));
}

const keyOf = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '-');
