import { isRecord, type Json } from '../kit/read.ts';
import type { Kind, Shape } from './message-shape.ts';
import { type Rejection, reject } from './responses.ts';

/** Thrown for a field that Google's JSON parser rejects. `readShape` catches it. */
class BadField extends Error {
  readonly field: string;

  constructor(field: string, text: string) {
    super(text);
    this.field = field;
  }
}

/**
 * Parses a value as Google does. Names are in snake_case or camelCase, unknown names are rejected, and `null` counts as
 * absent.
 */
export function readShape(value: Json, shape: Shape): { kind: 'passed'; value: Json } | Rejection {
  try {
    return { kind: 'passed', value: readFields(value, shape, '') };
  } catch (error) {
    if (!(error instanceof BadField)) throw error;
    return reject('INVALID_ARGUMENT', error.message, { field: error.field });
  }
}

function readFields(value: unknown, shape: Shape, path: string): Json {
  if (!isRecord(value)) throw invalid(path, 'TYPE_MESSAGE', value);
  const fields: Record<string, unknown> = {};
  for (const [givenName, fieldValue] of Object.entries(value)) {
    const name = givenName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const kind = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (kind === undefined) throw unknown(path, givenName);
    if (Object.hasOwn(fields, name)) throw new BadField(path, `Duplicate name "${givenName}" at '${path}'.`);
    if (fieldValue !== null) fields[name] = readValue(fieldValue, kind, path === '' ? name : `${path}.${name}`);
  }
  return fields;
}

function readValue(value: unknown, kind: Kind, path: string): unknown {
  if (typeof kind === 'object') {
    if ('fields' in kind) return readFields(value, kind.fields, path);
    if (typeof value !== 'string' || !kind.words.includes(value)) throw invalid(path, kind.type, value);
    return value;
  }
  if (kind === 'data') return readData(value, path);
  if (kind === 'strings' || kind === 'durations') {
    if (!Array.isArray(value)) throw invalid(path, 'TYPE_LIST', value);
    const each = kind === 'strings' ? 'string' : 'duration';
    return value.map((item, index) => readValue(item, each, `${path}[${index}]`));
  }
  const { type, accepts } = scalars[kind];
  if (!accepts(value)) throw invalid(path, type, value);
  return value;
}

/** Checks a map. Google treats it as a list of pairs, so an invalid value is identified by its index. */
function readData(value: unknown, path: string): Json {
  if (!isRecord(value)) throw invalid(path, 'TYPE_MAP', value);
  for (const [index, item] of Object.values(value).entries()) {
    if (typeof item !== 'string') throw invalid(`${path}[${index}].value`, 'TYPE_STRING', item);
  }
  return value;
}

const DURATION = /^-?\d{1,12}(?:\.\d{1,9})?s$/;
const INT32_MAX = 2 ** 31 - 1;
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

const scalars: Readonly<
  Record<
    Exclude<Kind, object | 'data' | 'strings' | 'durations'>,
    { type: string; accepts: (value: unknown) => boolean }
  >
> = {
  string: { type: 'TYPE_STRING', accepts: (value) => typeof value === 'string' },
  bool: { type: 'TYPE_BOOL', accepts: (value) => typeof value === 'boolean' },
  int32: { type: 'TYPE_INT32', accepts: (value) => Number.isInteger(value) && Math.abs(value as number) <= INT32_MAX },
  number: { type: 'TYPE_FLOAT', accepts: (value) => typeof value === 'number' },
  duration: { type: 'type.googleapis.com/google.protobuf.Duration', accepts: matches(DURATION) },
  timestamp: {
    type: 'type.googleapis.com/google.protobuf.Timestamp',
    accepts: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/),
  },
  any: { type: '', accepts: () => true },
};

function invalid(path: string, type: string, value: unknown): BadField {
  return new BadField(path, `Invalid value at '${path}' (${type}), ${JSON.stringify(value)}`);
}

function unknown(path: string, name: string): BadField {
  const where = path === '' ? '' : ` at '${path}'`;
  return new BadField(path, `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`);
}
