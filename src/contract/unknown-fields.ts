import { isBlank } from '#src/domain/blank.ts';
import { editDistance } from './edit-distance.ts';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
}

/** A field of a request that the schema does not name. */
export interface UnknownField {
  /** Names from the body down to the field, such as `message` and `colour`. */
  readonly path: readonly string[];
  /** The field of the same object that the caller most likely meant. Undefined if no name is close. */
  readonly closeField: string | undefined;
}

/** Maximum number of unknown fields that are compared with the known ones, because a request can have thousands. */
const UNKNOWN_FIELDS_MAX = 100;

/**
 * Returns the fields that the schema does not name, at every level, up to a maximum number. Blank fields count as
 * absent. Free-form objects, such as `message.ext`, and the items of lists are not checked.
 */
export function findUnknownFields(schema: SchemaNode, value: unknown): UnknownField[] {
  const unknownFields: UnknownField[] = [];
  addUnknownFields(unknownFields, schema, value, []);
  return unknownFields;
}

function addUnknownFields(found: UnknownField[], schema: SchemaNode, value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const properties = schema.properties ?? schema.anyOf?.find((option) => option.properties)?.properties;
  if (!properties) return;
  for (const [name, field] of Object.entries(value)) {
    if (found.length >= UNKNOWN_FIELDS_MAX) return;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) addUnknownFields(found, property, field, [...path, name]);
    else if (!isBlank(field))
      found.push({ path: [...path, name], closeField: findCloseName(name, knownNamesOf(properties)) });
  }
}

interface KnownName {
  readonly name: string;
  readonly plainName: string;
  readonly editsMax: number;
}

/** Names of at most this length are close after one edit, longer names after two. */
const SHORT_NAME_CHARACTERS_MAX = 5;

export const toKnownName = (name: string): KnownName => ({
  name,
  plainName: withoutStyle(name),
  editsMax: name.length <= SHORT_NAME_CHARACTERS_MAX ? 1 : 2,
});

const knownNamesByProperties = new WeakMap<object, readonly KnownName[]>();

/** Computed once per object of a schema. */
function knownNamesOf(properties: object): readonly KnownName[] {
  const cached = knownNamesByProperties.get(properties);
  if (cached) return cached;
  const knownNames = Object.keys(properties).map(toKnownName);
  knownNamesByProperties.set(properties, knownNames);
  return knownNames;
}

/** Returns the known name that is closest to another name, or undefined if none is close. */
export function findCloseName(name: string, knownNames: readonly KnownName[]): string | undefined {
  const plainName = withoutStyle(name);
  let closest: { readonly name: string; readonly distance: number } | undefined;
  for (const known of knownNames) {
    if (known.plainName === plainName) return known.name;
    const distance = editDistance(name, known.name, known.editsMax);
    if (distance !== undefined && (!closest || distance < closest.distance)) closest = { name: known.name, distance };
  }
  return closest?.name;
}

/** `showBeginTime`, `show-begin-time` and `show_begin_time` are the same name in different styles. */
const withoutStyle = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Maximum number of characters of one name in a list of ignored fields, because the caller chooses the names. */
const LISTED_NAME_CHARACTERS_MAX = 64;
/** Maximum number of characters of the list, because proxies limit the size of response headers. */
const LIST_CHARACTERS_MAX = 1_024;

/**
 * Returns the paths of unknown fields, such as `message.colour`, for a response header. If they are too long together,
 * `...` replaces the last ones. A character that a header or a path cannot contain is replaced by `?`.
 */
export function listFieldPaths(fields: readonly UnknownField[]): string[] {
  const paths: string[] = [];
  let characters = 0;
  for (const { path } of fields) {
    const text = path.map((name) => name.slice(0, LISTED_NAME_CHARACTERS_MAX).replaceAll(/[^\w-]/g, '?')).join('.');
    characters += text.length + 2;
    if (characters > LIST_CHARACTERS_MAX) return [...paths, '...'];
    paths.push(text);
  }
  return paths;
}
