import { type ProblemName, problems } from '#src/domain/problem.ts';
import { typeNameOf } from './named-schemas.ts';
import { OpenApiSchemas } from './openapi-schemas.ts';
import { describeOperation, envelopeOf, type Operation, problemsOf } from './operation.ts';
import { operations } from './operations.ts';
import { responseHeaders } from './response-headers.ts';
import { taggedOperations, tagOf } from './tags.ts';

/** Returns the OpenAPI 3.1 document of the whole API, generated from the contract. */
export function openApiDocument(version: string): object {
  const schemas = new OpenApiSchemas();
  schemas.define('ErrorResponse', ERROR_SCHEMA);
  const paths = operations.map((operation) => [
    operation.path,
    { [operation.method.toLowerCase()]: toOperation(operation, schemas) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carillon',
      version,
      summary: 'Tokens and push notifications.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: SERVERS,
    tags: taggedOperations.map(({ tag, description }) => ({ name: tag, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: schemas.components,
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: Object.fromEntries(
        responseHeaders.map(({ name, type, description }) => [name, { description, schema: { type } }]),
      ),
    },
  };
}

const INTRODUCTION = `Every response has three fields: \`code\` (200 if the call succeeded), \`data\`, and \`message\` (null if the call succeeded). If a call fails, \`data\` is null, and the response has an HTTP error status. With the app setting \`http_errors: always200\`, the status is always 200.\n\nAn optional field is **blank** if it is absent, \`null\`, \`""\`, a string of spaces, \`[]\` or \`{}\`. A blank field counts as not set. Unknown fields are ignored, except that \`/push/notify\` and \`/push/validate\` reject names that are close to a known field. Integers have up to 64 bits.`;

const SERVERS = [
  { url: '/', description: 'The API process that returned this document.' },
  {
    url: '{scheme}://{host}',
    description: 'Your installation.',
    variables: {
      scheme: { enum: ['https', 'http'], default: 'https' },
      host: { default: 'localhost', description: 'Host name and port of the API.' },
    },
  },
];

const SECURITY_SCHEMES = {
  app_id: {
    type: 'apiKey',
    in: 'header',
    name: 'app_id',
    description:
      'App ID. Some proxies drop headers whose name contains an underscore. nginx needs `underscores_in_headers on`.',
  },
  access_token: {
    type: 'apiKey',
    in: 'header',
    name: 'access-token',
    description: 'Access token of a user (`token` in the response of a login), or admin token.',
  },
  operator_session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-carillon_session',
    description:
      'Session of an operator, which `/operator/login` starts. It replaces the header `access-token` in all operations, and the role of the operator decides. Over plain HTTP on the same machine, the name is `carillon_session`.',
  },
  carillon_csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'carillon-csrf',
    description: 'Value of `csrf_token` in the response of `/operator/session`. Required with a session.',
  },
};

const PARAMETERS = {
  user_id: {
    name: 'user_id',
    in: 'header',
    required: false,
    description:
      'With an admin token: the call is made on behalf of this user. With an access token: must be the ID of the same user.',
    schema: { type: 'integer', format: 'int64' },
  },
  group_id: {
    name: 'group_id',
    in: 'header',
    required: false,
    description: 'Only with an admin token: the call is made as an admin of this group and reaches only its members.',
    schema: { type: 'integer', format: 'int64' },
  },
  accept_language: {
    name: 'accept-language',
    in: 'header',
    required: false,
    description:
      'Preferred languages of the sentences in the response, such as `zh-CN,zh;q=0.9`. They are in Chinese if Chinese is preferred to English, and in English otherwise.',
    schema: { type: 'string' },
  },
};

/** `code` is not an enum, because clients must accept the error codes of later versions. */
const ERROR_SCHEMA = {
  type: 'object',
  description: 'Response of a failed call.',
  required: ['code', 'data', 'message'],
  properties: {
    code: { type: 'integer', format: 'int32', description: 'Error code.' },
    data: { type: 'null', description: 'Always null.' },
    message: { type: 'string', description: 'Description of the error.' },
  },
};

function toOperation(operation: Operation, schemas: OpenApiSchemas): object {
  const { path, summary, access, query, body } = operation;
  const headers = operation.appless
    ? []
    : { open: [], token: ['user_id', 'group_id'], admin: ['user_id'], session: [] }[access];
  const typeName = typeNameOf(path);
  return {
    tags: [tagOf(operation)],
    operationId: `${typeName.slice(0, 1).toLowerCase()}${typeName.slice(1)}`,
    summary,
    description: describeOperation(operation),
    security: securityOf(operation),
    parameters: [
      ...[...headers, ...(operation.translates ? ['accept_language'] : [])].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: query?.required?.includes(name as never) ?? false,
        schema: schemas.convert(schema, `${typeName}Query`),
      })),
    ],
    ...(body && { requestBody: toRequestBody(operation, schemas) }),
    responses: {
      200: toSuccessResponse(operation, schemas),
      ...toProblemResponses(operation),
    },
  };
}

/** Returns the alternative ways to authenticate. A session can also replace the token of operations with an app. */
function securityOf({ access, appless, skipsCsrf }: Operation): object[] {
  const session = { operator_session: [], ...(!skipsCsrf && { carillon_csrf: [] }) };
  if (access === 'session') return [session];
  if (access === 'open') return [appless ? {} : { app_id: [] }];
  return [{ app_id: [], access_token: [] }, ...(appless ? [session] : [])];
}

function toRequestBody({ path, body, examples }: Operation, schemas: OpenApiSchemas): object {
  return {
    required: body?.required !== undefined,
    content: {
      'application/json': {
        schema: schemas.convert(body ?? {}, `${typeNameOf(path)}Request`),
        examples: Object.fromEntries(
          examples
            .filter((example) => example.body)
            .map(({ name, body: value }) => [keyOf(name), { summary: name, value }]),
        ),
      },
    },
  };
}

function toSuccessResponse(operation: Operation, schemas: OpenApiSchemas): object {
  const typeName = typeNameOf(operation.path);
  // The envelope is defined here, so that the name of its data ends in `Data` and not in `ResponseData`.
  const { properties, required, type } = envelopeOf(operation.data);
  return {
    description: 'Success.',
    headers: headersOf(operation, 200),
    content: {
      'application/json': {
        schema: schemas.define(`${typeName}Response`, {
          type,
          required,
          description: `${operation.summary}: response.`,
          properties: {
            code: schemas.convert(properties.code, typeName),
            data: schemas.convert(properties.data, `${typeName}Data`),
            message: schemas.convert(properties.message, typeName),
          },
        }),
        examples: Object.fromEntries(
          operation.examples.map(({ name, data: value }) => [
            keyOf(name),
            { summary: name, value: { code: 200, data: value, message: null } },
          ]),
        ),
      },
    },
  };
}

/** Returns one response per HTTP status, with the error codes that can occur under it. */
function toProblemResponses(operation: Operation): Record<string, object> {
  const byStatus = Map.groupBy(problemsOf(operation), (name) => problems[name].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map(describeProblem).join(' '),
        headers: headersOf(operation, status),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
        'x-error-codes': [...new Set(group.map((name) => problems[name].code))],
      },
    ]),
  );
}

const describeProblem = (name: ProblemName): string => `${problems[name].code}: ${problems[name].text}`;

const headersOf = (operation: Operation, status: number): object =>
  Object.fromEntries(
    responseHeaders
      .filter(({ appliesTo }) => appliesTo(operation, status))
      .map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const keyOf = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '-');
