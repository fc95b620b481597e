import { type TObject, type TSchema, Type } from 'typebox';
import type { Scope } from '#src/domain/caller.ts';
import type { ProblemName } from '#src/domain/problem.ts';

/** One operation of the public interface: what it takes, what it answers, how it says no. */
export type Operation = OperationBase &
  (
    | {
        /** For those who have no token yet. */
        readonly access: 'open';
        readonly scope?: undefined;
      }
    | {
        /** Takes a user's token, or an admin token that holds the scope; null: any admin token. */
        readonly access: 'token';
        readonly scope: Scope | null;
      }
    | {
        /** Takes an admin token that holds the scope. */
        readonly access: 'admin';
        readonly scope: Scope;
      }
  );

interface OperationBase {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** A call by an admin token is recorded before it is done, with these fields of the request. Never a secret one. */
  readonly audit?: readonly string[];
  /** What it makes has a number that is known only when it is done: the field of the answer that is added to the record. */
  readonly auditResultField?: string;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The `data` of a good answer. */
  readonly data: TSchema;
  /** The problems it can answer beside those that every operation can. */
  readonly problems: readonly ProblemName[];
  /** Requests that work, with the answer's data; a test sends them. */
  readonly examples: readonly Example[];
}

export interface Example {
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly data: unknown;
}

/** PostgreSQL's text takes every character but NUL, and half characters would all be stored as the same one. */
export const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';

/** What any operation can answer, whatever it does. */
export const commonProblems: readonly ProblemName[] = [
  'bad-parameter',
  'unknown-app',
  'too-many-requests',
  'internal-error',
  'service-unavailable',
];
/** What a POST can answer besides, also where no body is asked for: one that is sent must be JSON all the same. */
export const bodyProblems: readonly ProblemName[] = ['unsupported-content', 'message-too-large'];
/** What an operation that needs a token can answer besides. */
export const tokenProblems: readonly ProblemName[] = [
  'token-missing',
  'token-invalid',
  'token-expired',
  'no-permission',
  'no-such-user',
  'no-such-group',
];

/** Every way in which an operation can say no. */
export function problemsOf({ access, method, problems }: Operation): ProblemName[] {
  const all = [
    ...commonProblems,
    ...(method === 'POST' ? bodyProblems : []),
    ...(access === 'open' ? [] : tokenProblems),
    ...problems,
  ];
  return [...new Set(all)];
}

/** The description with what it takes to be allowed. */
export function describeOperation({ description, access, scope }: Operation): string {
  if (!scope) return description;
  const requirement = access === 'admin' ? 'Takes an admin token with' : 'An admin token needs';
  return `${description} ${requirement} the scope \`${scope}\`.`;
}

/** Every answer: a code, its data, and a message that is null when all is well. */
export const envelopeOf = (data: TSchema) =>
  Type.Object({
    code: Type.Integer({ description: 'Return code; 200 is success.' }),
    data,
    message: Type.Unsafe<string | null>({ type: 'string', nullable: true, description: 'Null on success.' }),
  });

/**
 * A schema for the serialiser: our int64 marker becomes an integer of that format, under which a bigint is printed with
 * all its digits.
 */
export function toWireSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toWireSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { int64, int64Text, keepBlank: _keepBlank, ...rest } = schema as Record<string, unknown>;
  const wire = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toWireSchema(value)]));
  return int64 || int64Text ? { ...wire, type: 'integer', format: 'int64' } : wire;
}
