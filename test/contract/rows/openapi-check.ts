import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { statuses } from './row.ts';

interface Media {
  readonly content: { readonly 'application/json': { readonly schema: object } };
}
interface DocumentedResponse extends Media {
  readonly 'x-error-codes'?: readonly number[];
}
interface DocumentedOperation {
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
interface OpenApi {
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

const text = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');

/** `docs/openapi.json`, as a client reads it. */
export const openApi = JSON.parse(text) as OpenApi;

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true } });
const compiled = new Map<object, ValidateFunction>();

/** Validates a JSON value against a schema of the document. Returns the errors, or undefined if there are none. */
export function findSchemaError(schema: object, value: unknown): string | undefined {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile({ ...schema, components: openApi.components });
    compiled.set(schema, validate);
  }
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

export function documented(method: string, path: string): DocumentedOperation | undefined {
  return openApi.paths[path]?.[method.toLowerCase()];
}

/**
 * Checks a response against the document. Returns an error if its status is not documented for the operation, or if its
 * envelope, including the code, does not match the status. Returns undefined for paths and methods that are not
 * documented.
 */
export function findResponseError(
  method: string,
  path: string,
  answer: { status: number; text: string },
): string | undefined {
  const operation = documented(method, path);
  if (!operation) return undefined;
  const envelope = JSON.parse(answer.text) as { code: number };
  // An app with `http_errors: always200` returns errors with status 200; their documented status follows from the code.
  const status = answer.status === 200 ? (statuses[envelope.code] ?? 200) : answer.status;
  const response = operation.responses[status];
  if (!response) return `status ${status} is not documented`;
  return findEnvelopeError(response, envelope);
}

/** Checks an envelope against a documented response, including the error codes of its status. */
export function findEnvelopeError(response: DocumentedResponse, envelope: { code: number }): string | undefined {
  const codes = response['x-error-codes'] ?? [200];
  if (!codes.includes(envelope.code)) return `code ${envelope.code} is not documented for this status`;
  return findSchemaError(response.content['application/json'].schema, envelope);
}
