import type { Option } from 'commander';
import type { AdminLedgerVerifyResponse, Field, Operation } from '../sdk/src/index.ts';
import { Inputs } from './inputs.ts';
import { printJson, printText } from './print.ts';
import { toRequest } from './request.ts';
import { callOperation, type Globals, toClient } from './run-operation.ts';
import { columnsOf } from './terminal.ts';

/** Maximum number of violations to print. More would not help to find the cause. */
const PRINTED_MAX = 1_000;
const EXIT_VIOLATIONS = 1;

/** Verifies the whole ledger, page by page. Prints the violations and the totals. */
export async function verifyLedger(
  operation: Operation,
  options: readonly { readonly field: Field; readonly option: Option }[],
  optionValues: Readonly<Record<string, unknown>>,
  globals: Globals,
): Promise<void> {
  const inputs = new Inputs();
  const client = await toClient(operation, globals, inputs);
  let request = await toRequest(operation, options, optionValues, inputs);
  const laws = new Set<string>();
  const list: AdminLedgerVerifyResponse['list'][number][] = [];
  const totals = { tasks: 0n, slices: 0n, places: 0n, broken: 0 };
  for (;;) {
    const { data } = await callOperation(client, operation, request);
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
  const lines = globals.json
    ? [printJson({ ...summary, list })]
    : [...(list.length > 0 ? [printText(list, columns), ''] : []), printText(summary, columns)];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (totals.broken > 0) process.exitCode = EXIT_VIOLATIONS;
}

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));
