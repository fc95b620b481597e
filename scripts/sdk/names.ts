import { namedSchemas } from '#src/contract/named-schemas.ts';
import type { Schema } from './schema.ts';

/** Response types contain bigints. Request types also accept numbers. */
export type Direction = 'request' | 'response';

export const namedRecords: readonly { readonly name: string; readonly role: Direction; readonly schema: Schema }[] =
  namedSchemas.map(([name, role, schema]) => ({ name, role, schema: schema as Schema }));

const keyOf = (role: Direction, schema: Schema): string => `${role} ${JSON.stringify(schema)}`;
const nameByKey = new Map(namedRecords.map(({ name, role, schema }) => [keyOf(role, schema), name]));

export const recordNameOf = (role: Direction, schema: Schema): string | undefined => nameByKey.get(keyOf(role, schema));
