import { Ajv, type ErrorObject } from 'ajv';
import type { TObject } from 'typebox';
import { Problem } from '#src/domain/problem.ts';
import { int64Keywords } from '#src/foundation/int64.ts';

const ajvOptions = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
  verbose: true, // errors carry the schema that they are about
  strict: true,
  strictTypes: false,
  keywords: [
    ...int64Keywords,
    'keepBlank',
    {
      keyword: 'maxBytes',
      type: 'string' as const,
      schemaType: 'number' as const,
      validate: (bytesMax: number, text: string) => Buffer.byteLength(text) <= bytesMax,
      errors: false,
    },
  ],
};

/** Bodies say what they mean: "1" is not 1. */
const ajv = new Ajv({ ...ajvOptions, coerceTypes: false });

/** Checks a request's part, fills in defaults, and refuses with the problem that fits. */
export function compileValidator(schema: TObject, part: 'body' | 'query'): (value: unknown) => void {
  const validate = ajv.compile(schema);
  return (value) => {
    if (part === 'query') readIntegers(schema, value as Record<string, unknown>);
    if (!validate(value)) throw toProblem((validate.errors ?? []) as ErrorObject[]);
  };
}

/** A query string has nothing but text: digits are read where an integer is wanted, and no other spelling of one. */
function readIntegers(schema: TObject, query: Record<string, unknown>): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query[name];
    const isInteger = (property as { type?: string }).type === 'integer';
    if (isInteger && typeof text === 'string' && /^-?\d{1,10}$/.test(text)) query[name] = Number(text);
  }
}

function toProblem(errors: readonly ErrorObject[]): Problem {
  // Of a union's complaints the one that lies deepest is about the option that was meant.
  const [error] = [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (!error) return new Problem('bad-parameter');
  const fieldPath = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'maxItems')
    return new Problem('list-too-long', `${fieldPath} takes ${error.params.limit} items.`);
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
  return new Problem('bad-parameter', `${fieldPath || 'The body'} ${error.message ?? 'is wrong'}.`);
}

const minimumText = ({ parentSchema }: ErrorObject): string =>
  parentSchema?.minimum === undefined ? '' : ` of at least ${parentSchema.minimum}`;

/** Of a union of literals each complains by itself. */
const literalsAt = (errors: readonly ErrorObject[], fieldPath: string): string =>
  errors
    .filter(({ keyword, instancePath }) => keyword === 'const' && instancePath === fieldPath)
    .map(({ params }) => params.allowedValue)
    .join(', ');
