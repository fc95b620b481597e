import type { PushTaskListResponse } from '../sdk/src/index.ts';
import { printJson, printText } from './print.ts';
import { printable, widthOf } from './printable.ts';
import { notices, type OperationCommand, prepareCall } from './run-operation.ts';
import { columnsOf } from './terminal.ts';

type ListedTask = PushTaskListResponse['list'][number];

/** Columns from which the first that fit are printed, followed by the title. */
const columnChoices: readonly (readonly (keyof ListedTask)[])[] = [
  ['task_id', 'state', 'due_at', 'audience', 'author', 'target', 'sent', 'received'],
  ['task_id', 'state', 'audience', 'author', 'target', 'sent', 'received'],
];
const TITLE_COLUMNS_MIN = 10;
const GAP_COLUMNS = 2;

/** Lists tasks with their counters. A table contains the columns that identify a task; `--json` contains all fields. */
export async function listTasks(command: OperationCommand): Promise<void> {
  const { call, request } = await prepareCall(command);
  const { data, headers } = await call({ counts: true, ...request });
  const { list } = data as PushTaskListResponse;
  const text = command.globals.json ? printJson(data) : printTasks(list, columnsOf(process.stdout));
  process.stdout.write(`${text}\n`);
  for (const line of notices(data, headers)) process.stderr.write(`${line}\n`);
}

export function printTasks(tasks: readonly ListedTask[], columns: number): string {
  for (const names of columnChoices) {
    const rows = tasks.map((task) => Object.fromEntries(names.map((name) => [name, task[name]])));
    const lines = printText(rows, Number.POSITIVE_INFINITY).split('\n');
    const titleColumns = columns - Math.max(...lines.map(widthOf)) - GAP_COLUMNS;
    if (titleColumns >= TITLE_COLUMNS_MIN)
      return printText(
        rows.map((row, index) => ({ ...row, title: shorten(tasks[index]?.title ?? null, titleColumns) })),
        columns,
      );
  }
  return printText(tasks, columns);
}

/** Shortens a title to the given number of columns. */
function shorten(title: string | null, columns: number): string | null {
  const text = title === null ? null : printable(title);
  if (text === null || widthOf(text) <= columns) return text;
  let start = '';
  for (const character of text) {
    if (widthOf(`${start}${character}`) >= columns) break;
    start += character;
  }
  return `${start.trimEnd()}…`;
}
