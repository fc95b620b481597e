import type { TObject } from 'typebox';
import { dropBlankFields } from '#src/contract/drop-blank-fields.ts';
import { findUnknownFields, listFieldPaths, type UnknownField } from '#src/contract/unknown-fields.ts';
import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';

/**
 * Returns the paths of the fields that the service ignores. With `rejectTypos`, throws if the name of such a field is
 * close to a field of the same object. Always throws if a required object has only unknown fields.
 */
export function checkFieldNames(schema: TObject, body: unknown, rejectTypos: boolean): readonly string[] {
  const unknownFields = findUnknownFields(schema, body);
  if (unknownFields.length === 0) return [];
  if (rejectTypos) unknownFields.forEach(requireNoTypo);
  const fields = body as Readonly<Record<string, unknown>>;
  for (const name of schema.required ?? []) requireKnownKey(name, schema.properties[name], fields[name], unknownFields);
  return listFieldPaths(unknownFields);
}

function requireNoTypo({ path, closeField }: UnknownField): void {
  if (closeField === undefined) return;
  const [typo, suggestion] = [path, [...path.slice(0, -1), closeField]].map((names) => names.join('.'));
  throw new Problem(
    'bad-parameter',
    `${typo} is not a known field: did you mean ${suggestion}? If you sent it on purpose, set reject_typos of the app to false.`,
  );
}

/** The part of a schema that lists the allowed keys and strings of a field. */
interface FieldSchema {
  readonly const?: string;
  readonly properties?: object;
  readonly anyOf?: readonly FieldSchema[];
}

function requireKnownKey(
  name: string,
  schema: FieldSchema = {},
  value: unknown,
  unknownFields: readonly UnknownField[],
): void {
  const unknownKeys = unknownFields.filter(({ path }) => path.length === 2 && path[0] === name);
  if (unknownKeys.length === 0 || !isBlank(dropBlankFields(schema as TObject, value))) return;
  const keys = listFieldPaths(unknownKeys.map((field) => ({ ...field, path: field.path.slice(1) })));
  const choices = (schema.anyOf ?? [schema]).flatMap((option) => option.const ?? Object.keys(option.properties ?? {}));
  throw new Problem('bad-parameter', `${name} has no known key: ${keys.join(', ')}. Use one of ${choices.join(', ')}.`);
}
