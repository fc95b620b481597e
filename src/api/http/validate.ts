import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TObject } from 'typebox';
import { Problem } from '#src/domain/problem.ts';
import { int64Keywords } from '#src/foundation/int64.ts';
import { describePattern } from './pattern-texts.ts';

const ajvOptions = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
  verbose: true, // errors include the schema that they refer to
  strict: true,
  strictTypes: false,
  keywords: [
    ...int64Keywords,
    'keepWhitespace',
    {
      keyword: 'maxBytes',
      type: 'string' as const,
      schemaType: 'number' as const,
      validate: (bytesMax: number, text: string) => Buffer.byteLength(text) <= bytesMax,
      errors: false,
    },
  ],
};

/** Types in bodies are not coerced: "1" is not 1. */
const ajv = new Ajv({ ...ajvOptions, coerceTypes: false });

/**
 * Returns a function that validates a body or query and fills in defaults. The function throws a `Problem` if the value
 * is not valid. The schema is compiled at the first call, because compiling all schemas would double the time in which
 * the API starts.
 */
export function compileValidator(schema: TObject, part: 'body' | 'query'): (value: unknown) => void {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    if (part === 'query') readIntegers(schema, value as Record<string, unknown>);
    if (!validate(value)) throw toProblem((validate.errors ?? []) as ErrorObject[]);
  };
}

/**
 * Converts decimal digits in a query to numbers if the schema requires an integer. Query values are strings, and no
 * other notation is accepted.
 */
function readIntegers(schema: TObject, query: Record<string, unknown>): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query[name];
    const isInteger = (property as { type?: string }).type === 'integer';
    if (isInteger && typeof text === 'string' && /^-?\d{1,10}$/.test(text)) query[name] = Number(text);
  }
}

function toProblem(errors: readonly ErrorObject[]): Problem {
  // A union reports errors for all its options. The deepest error belongs to the option that the caller most likely
  // meant.
  const [error] = [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (!error) return new Problem('bad-parameter');
  const fieldPath = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'maxItems')
    return new Problem('list-too-long', `${fieldPath} has more than ${error.params.limit} items.`);
  if (error.keyword === 'maxLength' || error.keyword === 'maxBytes')
    return new Problem('message-too-large', `${fieldPath} is too long.`);
  if (error.keyword === 'required')
    return new Problem(
      'bad-parameter',
      `${[fieldPath, error.params.missingProperty].filter(Boolean).join('.')} is required.`,
    );
  if (error.keyword === 'int64' || error.keyword === 'int64Text')
    return new Problem('bad-parameter', `${fieldPath} must be an int64${minimumText(error)}.`);
  if (error.keyword === 'const')
    return new Problem('bad-parameter', `${fieldPath} must be one of ${literalsAt(errors, error.instancePath)}.`);
  if (error.keyword === 'pattern')
    return new Problem('bad-parameter', `${fieldPath} ${describePattern(error.params.pattern)}.`);
  return new Problem('bad-parameter', `${fieldPath || 'The body'} ${error.message ?? 'is not valid'}.`);
}

const minimumText = ({ parentSchema }: ErrorObject): string =>
  parentSchema?.minimum === undefined ? '' : ` of at least ${parentSchema.minimum}`;

/**
 * Returns the allowed values. They are collected from the errors, because a union of literals reports one error per
 * literal.
 */
const literalsAt = (errors: readonly ErrorObject[], fieldPath: string): string =>
  errors
    .filter(({ keyword, instancePath }) => keyword === 'const' && instancePath === fieldPath)
    .map(({ params }) => params.allowedValue)
    .join(', ');
