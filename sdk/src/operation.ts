import type { OperationPath } from './generated/types.ts';

/**
 * Paths of the int64 values in a request or response. `true` is an int64, an object contains fields, and a list
 * contains the path of its items.
 */
export type Int64Paths = true | readonly [Int64Paths] | { readonly [field: string]: Int64Paths };

/** Method, access and int64 paths of an operation. */
export interface Wire {
  readonly method: 'GET' | 'POST';
  /** `open` requires no token, `token` an access token, `admin` an admin token, and `session` a cookie. */
  readonly access: 'open' | 'token' | 'admin' | 'session';
  readonly int64InRequest?: Int64Paths;
  readonly int64InResponse?: Int64Paths;
}

/** The description of an operation, for tools that provide all operations. */
export interface Operation extends Wire {
  readonly path: OperationPath;
  readonly summary: string;
  readonly description: string;
  /** Fields of the request. */
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  /** Type of the value, or of each item of a list. */
  readonly kind: 'text' | 'int64' | 'integer' | 'boolean' | 'object';
  readonly list?: boolean;
  readonly required?: boolean;
  readonly description: string;
  /** Allowed strings. The value of an object with choices is one of these strings or an object. */
  readonly choices?: readonly string[];
  /** Fields of an object; absent if it is free-form. */
  readonly fields?: readonly Field[];
}

/** A successful response: its data and headers. */
export interface OperationResult<Data> {
  readonly data: Data;
  readonly headers: Headers;
}
