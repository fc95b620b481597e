import { isBlank } from '#src/domain/blank.ts';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly keepBlank?: boolean;
}

/**
 * Removes what is blank from the fields that a schema names, at every level: blank means not given. What lies inside a
 * free-form field is the caller's own and is not touched, nor are the items of a list.
 */
export function removeBlankFields(schema: SchemaNode, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const properties = schema.properties ?? schema.anyOf?.find((option) => option.properties)?.properties;
  if (!properties) return;
  const fields = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(fields, name)) continue;
    removeBlankFields(property, fields[name]);
    const blank = property.keepBlank ? fields[name] === null || fields[name] === '' : isBlank(fields[name]);
    if (blank) delete fields[name];
  }
}
