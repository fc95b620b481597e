import assert from 'node:assert/strict';
import { describeOperation, type Operation } from '#src/contract/operation.ts';
import { choicesOf, isRequired, requestOf, responseOf, type Schema } from './schema.ts';

/**
 * Returns `sdk/src/generated/wire.ts`: the properties of each operation that the client needs, without descriptions.
 */
export function wireFile(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { method, path, access } = operation;
    const int64InRequest = int64PathsOf(requestOf(operation));
    const int64InResponse = int64PathsOf(responseOf(operation));
    return `${quote(path)}: ${print({ method, access, int64InRequest, int64InResponse })}`;
  });
  return `import type { Wire } from '../operation.ts';
import type { OperationPath } from './types.ts';

/** Method, access and int64 fields of each operation, by path. */
export const wire: Readonly<Record<OperationPath, Wire>> = {
${rows.join(',\n')},
};
`;
}

/** Returns `sdk/src/generated/operations.ts`: the operations with descriptions, for tools such as the command line. */
export function operationsFile(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { path, summary } = operation;
    const row = { path, summary, description: describeOperation(operation), fields: fieldsOf(requestOf(operation)) };
    return `${quote(path)}: { ...wire[${quote(path)}], ${print(row).slice(1)}`;
  });
  return `import type { Operation } from '../operation.ts';
import type { OperationPath } from './types.ts';
import { wire } from './wire.ts';

/** Every operation of the API, by path. */
export const operations: Readonly<Record<OperationPath, Operation>> = {
${rows.join(',\n')},
};
`;
}

function fieldsOf(schema: Schema): object[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const item = field.items ?? field;
    const choices = choicesOf(item);
    const objectSchema = objectSchemaOf(item);
    return {
      name,
      kind: kindOf(item),
      list: field.items ? true : undefined,
      required: isRequired(schema, name) ? true : undefined,
      description: field.description ?? '',
      choices: choices.length > 0 ? choices : undefined,
      fields: objectSchema && fieldsOf(objectSchema),
    };
  });
}

function kindOf(schema: Schema): string {
  if (schema.int64) return 'int64';
  if (objectSchemaOf(schema) || schema.type === 'object') return 'object';
  if (choicesOf(schema).length > 0) return 'text';
  const kind = { string: 'text', integer: 'integer', boolean: 'boolean' }[schema.type ?? ''];
  assert.ok(kind, `The SDK has no kind for ${JSON.stringify(schema)}.`);
  return kind;
}

/** Returns the schema itself if it is an object, or the object among its alternatives. */
const objectSchemaOf = (schema: Schema): Schema | undefined =>
  schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties);

/**
 * Returns the positions of int64 values: `true` for an int64 value, otherwise an object or list with the positions
 * inside it. Returns undefined if there are none.
 */
function int64PathsOf(schema: Schema): unknown {
  if (schema.int64) return true;
  if (schema.items) {
    const inner = int64PathsOf(schema.items);
    return inner && [inner];
  }
  const fields = Object.entries(objectSchemaOf(schema)?.properties ?? {})
    .map(([name, field]) => [name, int64PathsOf(field)] as const)
    .filter(([, inner]) => inner);
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Returns a value as source code. The formatter adjusts the layout. */
function print(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${fields.map(([name, field]) => `${name}: ${print(field)}`).join(', ')} }`;
}

const quote = (text: string): string => JSON.stringify(text);
