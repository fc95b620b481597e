import { printable } from '../printable.ts';
import type { Globals } from '../run-operation.ts';
import { wrapText } from '../table.ts';
import { type Colour, paint, type Terminal } from '../terminal.ts';
import type { Finding } from './finding.ts';

const STATE_COLUMNS = 9;
const CHECK_COLUMNS = 18;
/** If fewer columns are left, the sentences are printed below the check instead of next to it. */
const SENTENCE_COLUMNS_MIN = 30;

const colours: Readonly<Record<Finding['state'], Colour>> = { ok: 'green', warning: 'yellow', wrong: 'red' };

/** Returns the lines of a finding, followed by its advice. */
export function printFinding({ check, state, text, advice }: Finding, terminal: Terminal): string[] {
  const head = `${paint(terminal, colours[state], state)}${' '.repeat(STATE_COLUMNS - state.length)}`;
  const indent = STATE_COLUMNS + CHECK_COLUMNS;
  const columns = terminal.columns - 1;
  const arrow = terminal.unicode ? '→' : '->';
  const sentences = [text, ...(advice === undefined ? [] : [`${arrow} ${advice}`])].map(printable);
  if (columns - indent < SENTENCE_COLUMNS_MIN) {
    const below = ' '.repeat(2);
    return [`${head}${check}`, ...sentences.flatMap((line) => wrapText(line, columns - 2)).map((line) => below + line)];
  }
  const lines = sentences.flatMap((line) => wrapText(line, columns - indent));
  // A name longer than its column shifts the text, but a space still separates them.
  const first = `${head}${check.padEnd(CHECK_COLUMNS - 1)} ${lines[0] ?? ''}`;
  return [first, ...lines.slice(1).map((line) => ' '.repeat(indent) + line)];
}

/**
 * Returns the number of findings per state, with the names of the checks that failed or have warnings, because their
 * lines may have scrolled off the screen. The last line lists the parts that were not checked.
 */
export function printSummary(
  findings: readonly Finding[],
  { onServer, globals }: { readonly onServer: boolean; readonly globals: Globals },
  columns: number,
): string[] {
  const namesOf = (state: Finding['state']) =>
    findings.filter((finding) => finding.state === state).map(({ check }) => check);
  const listOfNames = (checks: readonly string[]) =>
    checks.length === 0 ? '' : ` (${[...new Set(checks)].join(', ')})`;
  const [wrong, warnings] = [namesOf('wrong'), namesOf('warning')];
  const sum = `${wrong.length} wrong${listOfNames(wrong)}, ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}${listOfNames(warnings)}, ${namesOf('ok').length} ok.`;
  const { url, app, token } = globals;
  const unchecked = [
    ...(url ? [] : ['the service (--url)']),
    ...(url && !(app && token) ? ['vendors (--app and --token)'] : []),
    ...(onServer ? [] : ['PostgreSQL and NATS (the settings of the service)']),
  ];
  return [sum, ...(unchecked.length === 0 ? [] : [`Not checked: ${unchecked.join(', ')}.`])].flatMap((line) =>
    wrapText(line, columns - 1),
  );
}
