import type { Option } from 'commander';
import { type AdminUserExportResponse, type Field, type Operation, parseJson } from '../sdk/src/index.ts';
import { Inputs } from './inputs.ts';
import { printJson } from './print.ts';
import { toRequest } from './request.ts';
import { callOperation, type Globals, toClient } from './run-operation.ts';

/**
 * Exports a user page by page, and prints one JSON document. Records are printed as they arrive, because an export can
 * be large.
 */
export async function exportUser(
  operation: Operation,
  options: readonly { readonly field: Field; readonly option: Option }[],
  optionValues: Readonly<Record<string, unknown>>,
  globals: Globals,
): Promise<void> {
  const inputs = new Inputs();
  const client = await toClient(operation, globals, inputs);
  let request = await toRequest(operation, options, optionValues, inputs);
  let separator = '[\n';
  for (;;) {
    const { data } = await callOperation(client, operation, request);
    const { list, next } = data as AdminUserExportResponse;
    for (const { kind, record } of list) {
      process.stdout.write(`${separator}${printJson({ kind, record: parseJson(record) })}`);
      separator = ',\n';
    }
    if (next === null) break;
    request = { ...request, after: next };
  }
  process.stdout.write('\n]\n');
}
