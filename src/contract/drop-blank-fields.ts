import { isBlank } from '#src/domain/blank.ts';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly keepWhitespace?: boolean;
}

/**
 * Returns a copy with the fields that the schema names and that are not blank, at every level. A blank field counts as
 * absent, and unknown fields are ignored. The content of free-form fields and the items of lists stay unchanged.
 */
export function dropBlankFields(schema: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const properties = schema.properties ?? schema.anyOf?.find((option) => option.properties)?.properties;
  if (!properties) return value;
  const input = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(input, name)) continue;
    const field = dropBlankFields(property, input[name]);
    const isBlankField = property.keepWhitespace ? field === null || field === '' : isBlank(field);
    if (!isBlankField) result[name] = field;
  }
  return result;
}
