import { operations } from '#src/contract/operations.ts';
import { callsFile } from './calls-file.ts';
import { formatGenerated } from './format.ts';
import { operationsFile, wireFile } from './operations-file.ts';
import { typesFile } from './types-file.ts';
import { vendorsFile } from './vendors-file.ts';

/** Returns the SDK files that are generated from the contract, by path. */
export function sdkFiles(): Record<string, string> {
  const files = {
    'sdk/src/generated/types.ts': typesFile(operations),
    'sdk/src/generated/wire.ts': wireFile(operations),
    'sdk/src/generated/operations.ts': operationsFile(operations),
    'sdk/src/generated/calls.ts': callsFile(operations),
    'sdk/src/generated/vendors.ts': vendorsFile(),
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, formatGenerated(path, text)]));
}
