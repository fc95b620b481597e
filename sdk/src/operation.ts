import type { OperationPath } from './generated/types.ts';

/** Where a request or an answer has int64: `true` is one, an object names the fields, a list has its item. */
export type Int64Paths = true | readonly [Int64Paths] | { readonly [field: string]: Int64Paths };

/** How an operation travels. */
export interface Wire {
  readonly method: 'GET' | 'POST';
  /** `open`: for those who have no token yet. `admin`: takes an admin token. */
  readonly access: 'open' | 'token' | 'admin';
  readonly int64InRequest?: Int64Paths;
  readonly int64InResponse?: Int64Paths;
}

/** An operation as data, for tools that offer all of them. */
export interface Operation extends Wire {
  readonly path: OperationPath;
  readonly summary: string;
  readonly description: string;
  /** What a request takes. */
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  /** What it holds, or each of its items if it is a list. */
  readonly kind: 'text' | 'int64' | 'integer' | 'boolean' | 'object';
  readonly list?: boolean;
  readonly required?: boolean;
  readonly description: string;
  /** The words that it may be. An object with choices is either one of these words or an object. */
  readonly choices?: readonly string[];
  /** What an object has inside; absent if it is free-form. */
  readonly fields?: readonly Field[];
}

/** A good answer with what came beside its data. */
export interface OperationResult<Data> {
  readonly data: Data;
  readonly headers: Headers;
}
