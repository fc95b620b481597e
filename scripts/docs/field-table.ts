import { type FieldRow, fieldRows } from '#src/contract/field-rows.ts';
import { channels } from '#src/domain/channel.ts';

/** The fields of a request as a table in Markdown. */
export const requestTable = (schema: unknown): string =>
  fieldTable(schema, ({ required }) => (required ? '**Required.**' : ''));

/** The fields of an answer; of the few that may be missing it says when. */
export const answerTable = (schema: unknown): string => fieldTable(schema, () => '');

/** What would be said over and over is said once. */
function fieldTable(schema: unknown, mark: (row: FieldRow) => string): string {
  const rows = oncePerChannel(oncePerSibling(fieldRows(schema)));
  if (rows.length === 0) return 'Nothing.';
  const lines = rows.map((row) => `| \`${row.name}\` | ${typeOf(row)} | ${meaningOf(row, mark(row))} |`);
  return ['| Field | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

const typeOf = ({ type }: FieldRow): string => type.replaceAll(/"[^"]*"/g, '`$&`').replaceAll(' | ', ' or ');

function meaningOf({ description, limits }: FieldRow, mark: string): string {
  const bounds = limits.map((limit) => limit.replace(/^default (.*)$/, 'default `$1`')).join('; ');
  const parts = [mark, description, bounds && `(${bounds})`];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('|', '\\|');
}

/** An object that has all fields of one before it lists only its own. */
function oncePerSibling(rows: readonly FieldRow[]): FieldRow[] {
  const parentOf = (name: string) => name.slice(0, name.lastIndexOf('.') + 1);
  const childrenOf = ({ name }: FieldRow) => rows.filter((row) => parentOf(row.name) === `${name}.`);
  const alike = (child: FieldRow, of: FieldRow, other: FieldRow) =>
    JSON.stringify({ ...child, name: child.name.replace(of.name, other.name) });
  let kept = [...rows];
  for (const [index, row] of rows.entries()) {
    const own = childrenOf(row).map((child) => JSON.stringify(child));
    const model = rows
      .slice(0, index)
      .filter((other) => parentOf(other.name) === parentOf(row.name) && childrenOf(other).length > 1)
      .find((other) => childrenOf(other).every((child) => own.includes(alike(child, other, row))));
    if (!model) continue;
    const told = new Set(childrenOf(model).map((child) => alike(child, model, row)));
    kept = kept
      .filter((one) => !told.has(JSON.stringify(one)))
      .map((one) => (one === row ? { ...row, description: describeLike(row, model, own.length > told.size) } : one));
  }
  return kept;
}

function describeLike(row: FieldRow, model: FieldRow, hasMore: boolean): string {
  const own = row.description === model.description ? '' : `${row.description} `;
  return `${own}The fields of \`${model.name}\`${hasMore ? ', and these:' : '.'}`;
}

/** Counters that every channel has. */
function oncePerChannel(rows: readonly FieldRow[]): FieldRow[] {
  const pattern = new RegExp(`\\b(${channels.join('|')})(?=_)`);
  const merged = new Map<string, { row: FieldRow; times: number; first: FieldRow }>();
  for (const row of rows) {
    const channel = pattern.exec(row.name)?.[1];
    const general = channel
      ? {
          ...row,
          name: row.name.replace(channel, '<channel>'),
          description: row.description.replace(`, ${channel}`, ''),
        }
      : row;
    const key = JSON.stringify(general);
    const known = merged.get(key);
    if (known) known.times += 1;
    else merged.set(key, { row: general, times: 1, first: row });
  }
  const everyChannel = channels.map((channel) => `\`${channel}\``).join(', ');
  let explained = false;
  return [...merged.values()].map(({ row, times, first }) => {
    if (times === 1) return first;
    if (explained) return row;
    explained = true;
    return { ...row, description: `${row.description} There is one for each \`<channel>\`: ${everyChannel}.` };
  });
}
