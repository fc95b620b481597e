import assert from 'node:assert/strict';
import type { Operation } from '#src/contract/operation.ts';

/** The part of a contract schema that the SDK generator uses. */
export interface Schema {
  readonly type?: string;
  readonly int64?: boolean;
  readonly nullable?: boolean;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** Returns the schema of a request: its body or its query parameters. */
export function requestOf({ path, body, query }: Operation): Schema {
  assert.ok(!(body && query), `${path} has both a body and a query`);
  return (body ?? query ?? { type: 'object', properties: {} }) as Schema;
}

export const responseOf = ({ data }: Operation): Schema => data as Schema;

/** Returns the allowed values of a string. The list is empty if all strings are allowed. */
export function choicesOf({ const: choice, enum: choices, anyOf = [] }: Schema): readonly string[] {
  if (choice !== undefined) return [choice];
  return choices ?? anyOf.flatMap(choicesOf);
}

export const isRequired = ({ required = [] }: Schema, name: string): boolean => required.includes(name);
