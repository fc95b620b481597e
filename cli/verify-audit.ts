import type { AdminAuditVerifyResponse } from '../sdk/src/index.ts';
import { printJson, printText } from './print.ts';
import { type OperationCommand, prepareCall } from './run-operation.ts';
import { columnsOf } from './terminal.ts';

const EXIT_MISMATCH = 1;

/** Verifies the whole audit log, page by page. Prints the first entry that does not match, and the last hash. */
export async function verifyAudit(command: OperationCommand): Promise<void> {
  const { call, ...first } = await prepareCall(command);
  let { request } = first;
  let entries = 0n;
  let isExpectedFound = false;
  let page: AdminAuditVerifyResponse;
  for (;;) {
    page = (await call(request)).data as AdminAuditVerifyResponse;
    entries += page.entries;
    isExpectedFound ||= page.expected_found;
    if (page.next === null) break;
    request = { ...request, after: page.next };
  }
  const { pending, hash, list } = page;
  const isExpected = request.expect !== undefined;
  const summary = { entries, pending, ...(isExpected && { expected_found: isExpectedFound }), hash };
  const columns = columnsOf(process.stdout);
  const lines = command.globals.json
    ? [printJson({ ...summary, list })]
    : [...(list.length > 0 ? [printText(list, columns), ''] : []), printText(summary, columns)];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (list.length > 0 || (isExpected && !isExpectedFound)) process.exitCode = EXIT_MISMATCH;
}
