import { type TObject, type TSchema, Type } from 'typebox';

/** One operation of the public interface: what it takes and what it answers. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The `data` of a good answer. */
  readonly data: TSchema;
}

/** Every answer: a code, its data, and a message that is null when all is well. */
export const envelopeOf = (data: TSchema) =>
  Type.Object({
    code: Type.Integer(),
    data,
    message: Type.Unsafe<string | null>({ type: 'string', nullable: true }),
  });

/**
 * A schema as it stands in documents and serialisers: our int64 marker becomes an integer of that format. The
 * serialiser prints a bigint under `integer` with all its digits.
 */
export function toWireSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toWireSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { int64, int64Text, keepBlank: _keepBlank, ...rest } = schema as Record<string, unknown>;
  const wire = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toWireSchema(value)]));
  return int64 || int64Text ? { ...wire, type: 'integer', format: 'int64' } : wire;
}
