export { type Caller, Carillon, type CarillonOptions } from './client.ts';
export { CarillonError, CarillonUnreachable } from './errors.ts';
export { operations } from './generated/operations.ts';
export type * from './generated/types.ts';
export { type VendorEntry, vendors } from './generated/vendors.ts';
export { parseJson, stringifyJson } from './json.ts';
export type { Field, Int64Paths, Operation, OperationResult } from './operation.ts';
