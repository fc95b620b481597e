import assert from 'node:assert/strict';
import type { Operation } from '#src/contract/operation.ts';
import { comment } from './format.ts';
import { namedRecords, type Role, recordNameOf, typeNameOf } from './names.ts';
import { answerOf, choicesOf, isRequired, requestOf, type Schema } from './schema.ts';

/** `sdk/src/generated/types.ts`: what every operation takes and answers, as plain TypeScript. */
export function typesFile(operations: readonly Operation[]): string {
  const records = namedRecords.map(({ name, role, schema }) => define(name, schema, bareTypeOf(schema, role)));
  const ofOperations = operations.flatMap((operation) => {
    const { path, summary } = operation;
    const request = hasFields(requestOf(operation))
      ? [define(requestTypeOf(operation), { description: `${summary}: what it takes.` }, bareRequest(operation))]
      : [];
    const answer = hasOwnAnswer(operation)
      ? [
          define(
            `${typeNameOf(path)}Answer`,
            { description: `${summary}: what it answers.` },
            bareTypeOf(answerOf(operation), 'answer'),
          ),
        ]
      : [];
    return [...request, ...answer];
  });
  const entries = (typeOfOperation: (operation: Operation) => string) =>
    operations.map((operation) => `readonly '${operation.path}': ${typeOfOperation(operation)};`).join('\n');
  return `${SHARED}

${[...records, ...ofOperations].join('\n\n')}

/** What each operation takes. */
export interface Requests {
${entries(requestTypeOf)}
}

/** The data that each operation answers. */
export interface Answers {
${entries(answerTypeOf)}
}

export type OperationPath = keyof Requests;
`;
}

const SHARED = `/**
 * An integer up to 2^63−1 in a request. A number must be a safe integer, since a larger one has lost digits before we
 * see it; use a bigint there. Answers always have bigints.
 */
export type Int64 = bigint | number;

/** An object without fields. */
export type Nothing = Readonly<Record<string, never>>;`;

export const requestTypeOf = (operation: Operation): string =>
  hasFields(requestOf(operation)) ? `${typeNameOf(operation.path)}Request` : 'Nothing';

export const answerTypeOf = (operation: Operation): string =>
  hasOwnAnswer(operation) ? `${typeNameOf(operation.path)}Answer` : typeOf(answerOf(operation), 'answer');

function hasOwnAnswer(operation: Operation): boolean {
  const data = answerOf(operation);
  return hasFields(data) && recordNameOf('answer', data) === undefined;
}

const hasFields = ({ properties = {} }: Schema): boolean => Object.keys(properties).length > 0;

const bareRequest = (operation: Operation): string => bareTypeOf(requestOf(operation), 'request');

function define(name: string, { description }: Schema, type: string): string {
  const declaration = type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${comment(description)}export ${declaration}`;
}

function typeOf(schema: Schema, role: Role): string {
  return recordNameOf(role, schema) ?? bareTypeOf(schema, role);
}

function bareTypeOf(schema: Schema, role: Role): string {
  const type = notNullTypeOf(schema, role);
  return schema.nullable ? `${type} | null` : type;
}

function notNullTypeOf(schema: Schema, role: Role): string {
  const { type, int64, anyOf, items, properties } = schema;
  if (int64) return role === 'request' ? 'Int64' : 'bigint';
  if (anyOf) return anyOf.map((option) => typeOf(option, role)).join(' | ');
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((word) => `'${word}'`).join(' | ');
  if (items) return `readonly (${typeOf(items, role)})[]`;
  if (properties) return hasFields(schema) ? fieldsOf(schema, role) : 'Nothing';
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

function fieldsOf(schema: Schema, role: Role): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = typeOf(field, role);
    // An optional field of a request may be said to be undefined: programs build requests from parts.
    const typed = isRequired(schema, name)
      ? `${name}: ${type}`
      : `${name}?: ${type}${role === 'request' ? ' | undefined' : ''}`;
    return `${comment(field.description)}readonly ${typed};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
