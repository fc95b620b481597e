import assert from 'node:assert/strict';
import { typeNameOf } from '#src/contract/named-schemas.ts';
import type { Operation } from '#src/contract/operation.ts';
import { comment } from './format.ts';
import { type Direction, namedRecords, recordNameOf } from './names.ts';
import { choicesOf, isRequired, requestOf, responseOf, type Schema } from './schema.ts';

/** Returns `sdk/src/generated/types.ts`: the request and response types of every operation. */
export function typesFile(operations: readonly Operation[]): string {
  const records = namedRecords.map(({ name, role, schema }) => define(name, schema, inlineTypeOf(schema, role)));
  const operationTypes = operations.flatMap((operation) => {
    const { path, summary } = operation;
    const request = hasFields(requestOf(operation))
      ? [define(requestTypeOf(operation), { description: `${summary}: request.` }, inlineRequestType(operation))]
      : [];
    const response = hasOwnResponseType(operation)
      ? [
          define(
            `${typeNameOf(path)}Response`,
            { description: `${summary}: response data.` },
            inlineTypeOf(responseOf(operation), 'response'),
          ),
        ]
      : [];
    return [...request, ...response];
  });
  const entries = (typeOfOperation: (operation: Operation) => string) =>
    operations.map((operation) => `readonly '${operation.path}': ${typeOfOperation(operation)};`).join('\n');
  return `${SHARED}

${[...records, ...operationTypes].join('\n\n')}

/** Request type of each operation. */
export interface Requests {
${entries(requestTypeOf)}
}

/** Response data of each operation. */
export interface Responses {
${entries(responseTypeOf)}
}

export type OperationPath = keyof Requests;
`;
}

const SHARED = `/**
 * An integer up to 2^63−1 in a request. A number must be a safe integer, because a larger number has already lost
 * digits. Use a bigint instead. Responses always contain bigints.
 */
export type Int64 = bigint | number;

/** An object without fields. */
export type EmptyObject = Readonly<Record<string, never>>;`;

export const requestTypeOf = (operation: Operation): string =>
  hasFields(requestOf(operation)) ? `${typeNameOf(operation.path)}Request` : 'EmptyObject';

export const responseTypeOf = (operation: Operation): string =>
  hasOwnResponseType(operation) ? `${typeNameOf(operation.path)}Response` : typeOf(responseOf(operation), 'response');

function hasOwnResponseType(operation: Operation): boolean {
  const data = responseOf(operation);
  return hasFields(data) && recordNameOf('response', data) === undefined;
}

const hasFields = ({ properties = {} }: Schema): boolean => Object.keys(properties).length > 0;

const inlineRequestType = (operation: Operation): string => inlineTypeOf(requestOf(operation), 'request');

function define(name: string, { description }: Schema, type: string): string {
  const declaration = type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${comment(description)}export ${declaration}`;
}

function typeOf(schema: Schema, role: Direction): string {
  return recordNameOf(role, schema) ?? inlineTypeOf(schema, role);
}

function inlineTypeOf(schema: Schema, role: Direction): string {
  const type = notNullTypeOf(schema, role);
  return schema.nullable ? `${type} | null` : type;
}

function notNullTypeOf(schema: Schema, role: Direction): string {
  const { type, int64, anyOf, items, properties } = schema;
  if (int64) return role === 'request' ? 'Int64' : 'bigint';
  if (anyOf) return anyOf.map((option) => typeOf(option, role)).join(' | ');
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((word) => `'${word}'`).join(' | ');
  if (items) return `readonly (${typeOf(items, role)})[]`;
  if (properties) return hasFields(schema) ? fieldsOf(schema, role) : 'EmptyObject';
  switch (type) {
    case 'string':
    case 'boolean':
      return type;
    case 'integer':
      return 'number';
    case 'object':
      return 'Readonly<Record<string, unknown>>';
  }
  assert.fail(`The SDK has no type for ${JSON.stringify(schema)}.`);
}

function fieldsOf(schema: Schema, role: Direction): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = typeOf(field, role);
    // An optional request field also accepts undefined, because programs often set fields from optional values.
    const typed = isRequired(schema, name)
      ? `${name}: ${type}`
      : `${name}?: ${type}${role === 'request' ? ' | undefined' : ''}`;
    return `${comment(field.description)}readonly ${typed};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
