import assert from 'node:assert/strict';
import type { Operation } from '#src/contract/operation.ts';

/** What of a contract's schema the SDK is made from. */
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

/** What a call sends: a body or a query, which differ only on the wire. */
export function requestOf({ path, body, query }: Operation): Schema {
  assert.ok(!(body && query), `${path} has a body and a query`);
  return (body ?? query ?? { type: 'object', properties: {} }) as Schema;
}

export const responseOf = ({ data }: Operation): Schema => data as Schema;

/** The words that a text may be, if only these. */
export function choicesOf({ const: choice, enum: choices, anyOf = [] }: Schema): readonly string[] {
  if (choice !== undefined) return [choice];
  return choices ?? anyOf.flatMap(choicesOf);
}

export const isRequired = ({ required = [] }: Schema, name: string): boolean => required.includes(name);
