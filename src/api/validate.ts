import { Ajv, type ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { Problem } from '#src/domain/problem.ts';
import { int64Keywords } from '#src/foundation/int64.ts';

const options = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
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

/** Bodies say what they mean: "1" is not 1. Headers and query strings have nothing but text. */
const bodies = new Ajv({ ...options, coerceTypes: false });
const texts = new Ajv({ ...options, coerceTypes: true });

/** Checks a request's part, fills in defaults, and refuses with the problem that fits. */
export function compileValidator(schema: TSchema, part: 'body' | 'query'): (value: unknown) => void {
  const validate = (part === 'body' ? bodies : texts).compile(schema);
  return (value) => {
    if (!validate(value)) throw toProblem((validate.errors ?? []) as ErrorObject[]);
  };
}

function toProblem(errors: readonly ErrorObject[]): Problem {
  // Of a union's complaints the one that lies deepest is about the option that was meant.
  const [error] = [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (!error) return new Problem('bad-parameter');
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'maxItems') return new Problem('list-too-long', `${place} takes ${error.params.limit} items.`);
  if (error.keyword === 'maxLength' || error.keyword === 'maxBytes')
    return new Problem('message-too-large', `${place} is too long.`);
  if (error.keyword === 'required')
    return new Problem(
      'bad-parameter',
      `${[place, error.params.missingProperty].filter(Boolean).join('.')} is required.`,
    );
  if (error.keyword === 'int64' || error.keyword === 'int64Text')
    return new Problem('bad-parameter', `${place} must be an int64.`);
  return new Problem('bad-parameter', `${place || 'The body'} ${error.message ?? 'is wrong'}.`);
}
