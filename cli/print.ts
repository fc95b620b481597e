import { stringifyJson } from '../sdk/src/index.ts';
import { printable, toEscape, widthOf } from './printable.ts';
import { alignPairs, alignTable, type Cell, wrapText } from './table.ts';
import { printChannel, printProvider } from './vendor-names.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns the data of a response as JSON with exact integers. It also escapes U+007F to U+009F, the only control
 * characters that JSON permits without an escape.
 */
export function printJson(data: unknown): string {
  return stringifyJson(data, 2).replaceAll(/[\u007f-\u009f]/g, toEscape);
}

/** Returns the data of a response as text for a terminal with the given number of columns. */
export function printText(data: unknown, columns: number): string {
  const { list, why } = Array.isArray(data) ? { list: data, why: null } : (data as { list?: unknown; why?: unknown });
  // The response explains why the list is empty.
  if (Array.isArray(list) && list.length === 0 && typeof why === 'string')
    return wrapText(printValue('why', why), columns).join('\n');
  const lines = Array.isArray(list) ? printList(list, columns) : printRecord(data as Row, columns);
  return lines.join('\n');
}

function printList(list: readonly unknown[], columns: number): string[] {
  if (list.length === 0) return ['None.'];
  if (!list.every(isRow)) return list.map((item) => printValue('', item));
  if (list.every(isStatistics)) return joinWithBlankLines(list, printStatistics);
  if (list.every(isTrace)) return joinWithBlankLines(list, (row) => printTrace(row, columns));
  const names = Object.keys(list[0] ?? {}).filter((name) => !omittedColumns.has(name));
  // If not all columns fit, columns that are empty in every row are omitted.
  const nonEmptyNames = names.filter((name) => list.some((row) => !['', '-'].includes(printValue(name, row[name]))));
  const tables = [names, nonEmptyNames].map((columnNames) => printTable(list, columnNames));
  const fitting = tables.find((table) => Math.max(...table.map(widthOf)) <= columns);
  return fitting ?? joinWithBlankLines(list, (row) => printRecord(row, columns));
}

const printTable = (list: readonly Row[], names: readonly string[]): string[] =>
  alignTable(
    names,
    list.map((row) => names.map((name) => toCell(name, row[name]))),
  );

/** Prints rows one below the other, with a blank line between them. */
const joinWithBlankLines = (list: readonly Row[], print: (row: Row) => string[]): string[] =>
  list.flatMap((row, index) => [...(index > 0 ? [''] : []), ...print(row)]);

/** Fields with several lines, which are not useful in a table. */
const omittedColumns: ReadonlySet<string> = new Set(['public_key']);

function printRecord(row: Row, columns: number): string[] {
  const valueColumns = columns - Math.max(0, ...Object.keys(row).map(widthOf)) - ': '.length;
  const pairs = Object.entries(row).map(
    ([name, value]) => [name, toLines(name, value).flatMap((line) => wrapText(line, valueColumns))] as const,
  );
  return pairs.length === 0 ? ['Done.'] : alignPairs(pairs);
}

/**
 * Preserves the line breaks of keys and certificates. In other values, line breaks are escaped, because an additional
 * line could imitate a field.
 */
function toLines(name: string, value: unknown): string[] {
  const isPem = typeof value === 'string' && value.startsWith('-----BEGIN ');
  return isPem ? value.trimEnd().split('\n').map(printable) : [printValue(name, value)];
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const toCell = (name: string, value: unknown): Cell => ({ text: printValue(name, value), right: isCount(name, value) });

const isCount = (name: string, value: unknown): boolean =>
  (typeof value === 'bigint' || typeof value === 'number') && !isTime(name) && name !== 'provider';

function printValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((item) => printValue(name, item)).join(', ');
  if (isRow(value))
    return Object.entries(value)
      .map(([field, fieldValue]) => `${field}=${printValue(field, fieldValue)}`)
      .join(' ');
  if (typeof value === 'bigint' && isTime(name)) return printTime(value);
  if (typeof value === 'number' && name === 'provider') return printProvider(value);
  if (typeof value === 'string' && name === 'channel') return printable(printChannel(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(String(value));
}

/** Returns whether an API field contains Unix milliseconds. */
const isTime = (name: string): boolean => name === 'expire' || name === 'at' || name.endsWith('_at');

function printTime(milliseconds: bigint): string {
  const date = new Date(Number(milliseconds));
  return Number.isNaN(date.getTime()) ? milliseconds.toString() : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

const isStatistics = (row: Row): boolean => 'task_id' in row && 'nativepush_target' in row;

/** Prints the counters of a task as a table of channels. Idle channels are omitted. */
function printStatistics(row: Row): string[] {
  const channels = Object.keys(row).flatMap((name) => /^(.+)_target$/.exec(name)?.[1] ?? []);
  const counters = ['target', 'sent', 'received'];
  const activeChannels = channels.filter((channel) => counters.some((counter) => row[`${channel}_${counter}`] !== 0n));
  const title = `task ${String(row.task_id)}`;
  if (activeChannels.length === 0) return [`${title}: no targets`];
  const rows = activeChannels.map((channel): Cell[] => [
    toCell('channel', channel),
    ...counters.map((counter) => toCell(counter, row[`${channel}_${counter}`])),
  ]);
  return [title, ...alignTable(['channel', ...counters], rows).map((line) => `  ${line}`)];
}

const isTrace = (row: Row): boolean => 'why' in row && Array.isArray(row.attempts);

/** Prints the trace of one device: the explanation first, then one line per attempt. */
function printTrace(row: Row, columns: number): string[] {
  const attempts = row.attempts as readonly Row[];
  const head = `${printValue('', row.device_guid)} (${printValue('', row.push_token)}): ${printValue('', row.state)}`;
  const table = attempts.length > 0 ? printAttempts(attempts, columns - INDENT.length) : [];
  const omitted = (row.channels as readonly Row[]).filter(({ left_out }) => left_out !== 0);
  return [
    head,
    ...[
      ...wrapText(printValue('', row.why), columns - INDENT.length),
      ...table,
      ...omitted.map(
        ({ channel, left_out }) =>
          `${String(left_out)} more attempts on ${printValue('channel', channel)} were not recorded.`,
      ),
    ].map((line) => `${INDENT}${line}`),
  ];
}

const INDENT = '  ';

/** Prints the time, channel and text of each attempt. A long text is wrapped inside its column. */
function printAttempts(attempts: readonly Row[], columns: number): string[] {
  const leadingCells = attempts.map((attempt) => ['at', 'channel'].map((name) => printValue(name, attempt[name])));
  const widths = alignTable(['at', 'channel'], leadingCells.map(toCells)).map(widthOf);
  const textColumns = columns - Math.max(...widths) - 2;
  const rows = attempts.flatMap((attempt, index) =>
    wrapText(printValue('text', attempt.text), Math.max(textColumns, TEXT_COLUMNS_MIN)).map((line, at) =>
      toCells([...(at === 0 ? (leadingCells[index] ?? []) : ['', '']), line]),
    ),
  );
  return alignTable(['at', 'channel', 'what'], rows);
}

const TEXT_COLUMNS_MIN = 20;
const toCells = (texts: readonly string[]): Cell[] => texts.map((text) => ({ text }));
