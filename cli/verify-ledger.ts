import type { AdminLedgerVerifyResponse } from '../sdk/src/index.ts';
import { printJson, printText } from './print.ts';
import { type OperationCommand, prepareCall } from './run-operation.ts';
import { columnsOf } from './terminal.ts';

/** Maximum number of violations to print. More would not help to find the cause. */
const PRINTED_MAX = 1_000;
const EXIT_VIOLATIONS = 1;

/** Verifies the whole ledger, page by page. Prints the violations and the totals. */
export async function verifyLedger(command: OperationCommand): Promise<void> {
  const { call, ...first } = await prepareCall(command);
  let { request } = first;
  const laws = new Set<string>();
  const list: AdminLedgerVerifyResponse['list'][number][] = [];
  const totals = { tasks: 0n, slices: 0n, places: 0n, broken: 0 };
  for (;;) {
    const { data } = await call(request);
    const page = data as AdminLedgerVerifyResponse;
    for (const law of page.laws) laws.add(law);
    totals.tasks += page.tasks;
    totals.slices += page.slices;
    totals.places += page.places;
    totals.broken += page.list.length;
    list.push(...page.list.slice(0, PRINTED_MAX - list.length));
    if (process.stderr.isTTY)
      process.stderr.write(`\r${totals.tasks} tasks, ${totals.places} places, ${totals.broken} broken`);
    if (page.next === null) break;
    request = { ...request, after: page.next };
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  const summary = { laws: [...laws].sort(byNumber), ...totals };
  const columns = columnsOf(process.stdout);
  const lines = command.globals.json
    ? [printJson({ ...summary, list })]
    : [...(list.length > 0 ? [printText(list, columns), ''] : []), printText(summary, columns)];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (totals.broken > 0) process.exitCode = EXIT_VIOLATIONS;
}

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));
