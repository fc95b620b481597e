import { type FieldRow, fieldRows } from '#src/contract/field-rows.ts';
import { channels } from '#src/domain/channel.ts';

/** Returns the fields of a request as a Markdown table. */
export const requestTable = (schema: unknown): string =>
  fieldTable(schema, ({ required }) => (required ? '**Required.**' : '')) ?? 'No fields.';

/**
 * Returns the fields of a response as a Markdown table, or undefined if it has none. The description of an optional
 * field explains when it is missing.
 */
export const responseTable = (schema: unknown): string | undefined => fieldTable(schema, () => '');

/** Returns the table of a schema, with repeated rows merged. */
function fieldTable(schema: unknown, mark: (row: FieldRow) => string): string | undefined {
  const rows = mergeChannels(mergeSiblings(fieldRows(schema)));
  if (rows.length === 0) return undefined;
  const lines = rows.map((row) => `| \`${row.name}\` | ${typeOf(row)} | ${meaningOf(row, mark(row))} |`);
  return ['| Field | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

const typeOf = ({ type }: FieldRow): string => type.replaceAll(/"[^"]*"/g, '`$&`').replaceAll(' | ', ' or ');

function meaningOf({ description, limits }: FieldRow, mark: string): string {
  const sentences = limits.filter((limit) => !isInDescription(limit, description)).map(limitSentence);
  const parts = [mark, description, ...sentences];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('|', '\\|');
}

/** Returns whether the description already states the default value, or the largest number of a limit. */
function isInDescription(limit: string, description: string): boolean {
  if (limit.startsWith('default ')) return /\bdefault\b|Blank means/.test(description);
  const [, largest] = /(\d+)\D*$/.exec(limit) ?? [];
  return new RegExp(`\\b${largest}\\b`).test(description);
}

function limitSentence(limit: string): string {
  if (limit.startsWith('default ')) return `Default: \`${limit.slice('default '.length)}\`.`;
  return `${limit.replace(/^(\d+)–(\d+)/, 'from $1 to $2').replace(/^./, (first) => first.toUpperCase())}.`;
}

/** If an object has all fields of an earlier object at the same level, keeps only its additional fields. */
function mergeSiblings(rows: readonly FieldRow[]): FieldRow[] {
  const parentOf = (name: string) => name.slice(0, name.lastIndexOf('.') + 1);
  const childrenOf = ({ name }: FieldRow) => rows.filter((row) => parentOf(row.name) === `${name}.`);
  const renameParent = (child: FieldRow, parent: FieldRow, other: FieldRow) =>
    JSON.stringify({ ...child, name: child.name.replace(parent.name, other.name) });
  let remaining = [...rows];
  for (const [index, row] of rows.entries()) {
    const ownChildren = childrenOf(row).map((child) => JSON.stringify(child));
    const model = rows
      .slice(0, index)
      .filter((other) => parentOf(other.name) === parentOf(row.name) && childrenOf(other).length > 1)
      .find((other) => childrenOf(other).every((child) => ownChildren.includes(renameParent(child, other, row))));
    if (!model) continue;
    const repeated = new Set(childrenOf(model).map((child) => renameParent(child, model, row)));
    remaining = remaining
      .filter((candidate) => !repeated.has(JSON.stringify(candidate)))
      .map((candidate) =>
        candidate === row
          ? { ...row, description: describeLike(row, model, ownChildren.length > repeated.size) }
          : candidate,
      );
  }
  return remaining;
}

function describeLike(row: FieldRow, model: FieldRow, hasMore: boolean): string {
  const own = row.description === model.description ? '' : `${row.description} `;
  return `${own}The object has the fields of \`${model.name}\`${hasMore ? ' and the following fields.' : '.'}`;
}

/** Merges the counters of all channels into one row. */
function mergeChannels(rows: readonly FieldRow[]): FieldRow[] {
  const pattern = new RegExp(`\\b(${channels.join('|')})(?=_|$)`);
  const merged = new Map<string, { row: FieldRow; times: number; first: FieldRow }>();
  for (const row of rows) {
    const channel = pattern.exec(row.name)?.[1];
    const template = channel ? { ...row, name: row.name.replace(channel, '<channel>') } : row;
    const key = JSON.stringify(template);
    const existing = merged.get(key);
    if (existing) existing.times += 1;
    else merged.set(key, { row: template, times: 1, first: row });
  }
  const everyChannel = channels.map((channel) => `\`${channel}\``).join(', ');
  let explained = false;
  return [...merged.values()].map(({ row, times, first }) => {
    if (times === 1) return first;
    if (explained) return row;
    explained = true;
    return { ...row, description: `${row.description} \`<channel>\` is one of ${everyChannel}.` };
  });
}
