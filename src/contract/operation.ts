import { type TObject, type TSchema, Type } from 'typebox';
import type { Scope } from '#src/domain/caller.ts';
import type { ProblemName } from '#src/domain/problem.ts';

/** An operation of the public API: its request, its response and its errors. */
export type Operation = OperationBase &
  (
    | {
        /** Requires no token. */
        readonly access: 'open';
        readonly scope?: undefined;
      }
    | {
        /**
         * Accepts an access token, or an admin token with the scope. With a null scope, no scope is checked, and the
         * operation itself rejects admin tokens.
         */
        readonly access: 'token';
        readonly scope: Scope | null;
      }
    | {
        /** Requires an admin token with the scope. */
        readonly access: 'admin';
        readonly scope: Scope;
      }
    | {
        /** Requires the session of an operator. */
        readonly access: 'session';
        readonly scope: null;
      }
  );

interface OperationBase {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The operation changes nothing and returns no secret, so that operators of every role can call it. */
  readonly reads?: true;
  /** The response contains sentences in the language of the header `accept-language`. */
  readonly translates?: true;
  /** The operation belongs to no app. Only callers with a token send the header `app_id`. */
  readonly appless?: true;
  /** A session needs no CSRF token, because the operation returns this token. */
  readonly skipsCsrf?: true;
  /**
   * Request fields that are recorded in the audit entry before a call with an admin token runs. They never include a
   * secret.
   */
  readonly audit?: readonly string[];
  /** Secret request fields of which the audit entry records only that they were given, such as `password_changed`. */
  readonly auditSecrets?: readonly string[];
  /**
   * Response field that a second audit entry contains, because the ID of the created object is known only after the
   * call.
   */
  readonly auditResultField?: string;
  /** The operation revokes tokens of others, which is a security event. */
  readonly revokes?: true;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The names of unknown body fields are checked for typos and listed in the header `carillon-ignored-fields`. */
  readonly checksFieldNames?: true;
  /** Maximum size of the request body in bytes. 16 KiB if it is absent. */
  readonly bodyBytesMax?: number;
  /** The `data` of a successful response. */
  readonly data: TSchema;
  /** Errors that the operation can return in addition to those of every operation. */
  readonly problems: readonly ProblemName[];
  /** Requests that succeed, with the data of the response. A test sends them. */
  readonly examples: readonly Example[];
}

export interface Example {
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly data: unknown;
}

/**
 * PostgreSQL's text type stores every character except NUL. Lone surrogates are excluded because they would all be
 * stored as the same character.
 */
export const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';

/** Maximum size of most request bodies. Operations without a token read their body before the caller is known. */
export const BODY_BYTES_MAX = 16 * 1_024;
/** Maximum size of bodies with a message or a certificate. */
export const LARGE_BODY_BYTES_MAX = 256 * 1_024;

/** Errors that every operation can return. */
export const commonProblems: readonly ProblemName[] = [
  'bad-parameter',
  'unknown-app',
  'internal-error',
  'service-unavailable',
];
/**
 * Additional errors of POST operations, including those without body fields, because any body that is sent must be
 * JSON.
 */
export const bodyProblems: readonly ProblemName[] = ['unsupported-content', 'message-too-large'];
/** Additional errors of operations that require a token. */
export const tokenProblems: readonly ProblemName[] = [
  'too-many-requests',
  'token-missing',
  'session-missing',
  'token-invalid',
  'token-expired',
  'no-permission',
  'no-such-user',
  'no-such-group',
];

/** Additional errors of operations that require a session. */
const sessionProblems: readonly ProblemName[] = ['session-missing', 'no-permission', 'too-many-requests'];

/** Returns every error that an operation can return. */
export function problemsOf({ access, method, appless, problems }: Operation): ProblemName[] {
  const all = [
    ...commonProblems.filter((problem) => problem !== 'unknown-app' || !appless || access === 'admin'),
    ...(method === 'POST' ? bodyProblems : []),
    ...{
      open: appless ? ['no-permission' as const] : [],
      token: tokenProblems,
      admin: tokenProblems,
      session: sessionProblems,
    }[access],
    ...problems,
  ];
  return [...new Set(all)];
}

const TRANSLATES = 'The header `accept-language` selects the language of sentences: English or Chinese.';

/** Returns the description with the languages and the required scope. */
export function describeOperation({ access, scope, translates, ...operation }: Operation): string {
  const description = translates ? `${operation.description} ${TRANSLATES}` : operation.description;
  if (access === 'session') return `${description} Requires the session of an operator.`;
  if (!scope) return description;
  const requirement = access === 'admin' ? 'Requires an admin token with' : 'An admin token needs';
  return `${description} ${requirement} the scope \`${scope}\`.`;
}

/** Schema of every response: a code, the data, and a message that is null on success. */
export const envelopeOf = (data: TSchema) =>
  Type.Object({
    code: Type.Integer({ description: '200 if the call succeeded; otherwise an error code.' }),
    data,
    message: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Null if the call succeeded; otherwise the error.',
    }),
  });

/**
 * Converts a schema for the serializer: the int64 marker becomes an integer with the format `int64`, so that a bigint
 * is serialized with all its digits.
 */
export function toWireSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toWireSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { int64, int64Text, keepWhitespace: _keepWhitespace, ...rest } = schema as Record<string, unknown>;
  const wire = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toWireSchema(value)]));
  return int64 || int64Text ? { ...wire, type: 'integer', format: 'int64' } : wire;
}
