import { type AdminUserExportResponse, parseJson } from '../sdk/src/index.ts';
import { printJson } from './print.ts';
import { type OperationCommand, prepareCall } from './run-operation.ts';

/**
 * Exports a user page by page, and prints one JSON document. Records are printed as they arrive, because an export can
 * be large.
 */
export async function exportUser(command: OperationCommand): Promise<void> {
  const { call, ...first } = await prepareCall(command);
  let { request } = first;
  let separator = '[\n';
  for (;;) {
    const { data } = await call(request);
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
