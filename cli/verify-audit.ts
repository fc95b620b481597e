import type { Option } from 'commander';
import type { AdminAuditVerifyResponse, Field, Operation } from '../sdk/src/index.ts';
import { Inputs } from './inputs.ts';
import { printJson, printText } from './print.ts';
import { toRequest } from './request.ts';
import { callOperation, type Globals, toClient } from './run-operation.ts';
import { columnsOf } from './terminal.ts';

const EXIT_MISMATCH = 1;

/** Verifies the whole audit log, page by page. Prints the first entry that does not match, and the last hash. */
export async function verifyAudit(
  operation: Operation,
  options: readonly { readonly field: Field; readonly option: Option }[],
  optionValues: Readonly<Record<string, unknown>>,
  globals: Globals,
): Promise<void> {
  const inputs = new Inputs();
  const client = await toClient(operation, globals, inputs);
  let request = await toRequest(operation, options, optionValues, inputs);
  let entries = 0n;
  let isExpectedFound = false;
  let page: AdminAuditVerifyResponse;
  for (;;) {
    page = (await callOperation(client, operation, request)).data as AdminAuditVerifyResponse;
    entries += page.entries;
    isExpectedFound ||= page.expected_found;
    if (page.next === null) break;
    request = { ...request, after: page.next };
  }
  const { pending, hash, list } = page;
  const isExpected = request.expect !== undefined;
  const summary = { entries, pending, ...(isExpected && { expected_found: isExpectedFound }), hash };
  const columns = columnsOf(process.stdout);
  const lines = globals.json
    ? [printJson({ ...summary, list })]
    : [...(list.length > 0 ? [printText(list, columns), ''] : []), printText(summary, columns)];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (list.length > 0 || (isExpected && !isExpectedFound)) process.exitCode = EXIT_MISMATCH;
}
