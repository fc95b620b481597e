import { HOME_PARTITIONED_TABLES, SHARD_PARTITIONED_TABLES } from '#src/storage/database/partitions.ts';

/** One statement of a migration, with the comment lines directly above it. */
export interface Statement {
  readonly text: string;
  readonly comments: readonly string[];
}

/** Semicolons inside comments, strings, dollar quotes and quoted names do not end a statement. */
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;'"$/-]+|[\s\S]/g;

export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let comments: string[] = [];
  for (const [piece] of sql.matchAll(token)) {
    if (piece.startsWith('--')) {
      if (text.trim() === '') comments.push(piece);
    } else if (piece.startsWith('/*')) text += ' ';
    else if (piece !== ';') text += piece;
    else {
      statements.push({ text: normalize(text), comments });
      text = '';
      comments = [];
    }
  }
  if (text.trim() !== '') statements.push({ text: normalize(text), comments });
  return statements;
}

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Splits at commas, except inside parentheses and strings. */
function splitList(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const [piece] of text.matchAll(/'(?:[^']|'')*'|[\s\S]/g)) {
    depth += piece === '(' ? 1 : piece === ')' ? -1 : 0;
    if (piece === ',' && depth === 0) items.push('');
    else items[items.length - 1] += piece;
  }
  return items.map((item) => item.trim());
}

/** A comment that justifies a statement whose compatibility cannot be checked automatically. */
const JUSTIFIED = /^-- compatible: .{20,}/;

const TWO_RELEASES =
  'Roles of the previous version use this schema during an upgrade, and again after a rollback. Make the change in two releases. Expand now: add the new column or table, write both, and read the one that is set. Contract in the next release, when the previous version supports both. If this is that next release, or if the previous version works with the change anyway, state the reason on the line above: `-- compatible: …`. See migrations/README.md.';

/** Tables with a row per app, vendor or admin. An index on them is created in milliseconds. */
export const SMALL_TABLES = new Set(
  ['apps', 'groups', 'admin_tokens', 'certificates', 'deleted_certificates', 'breakers', 'quotas', 'rates'].concat([
    'provider_tokens',
    'callbacks',
    'last_responses',
    'last_receipts',
    'quota_usage',
    'gateways',
  ]),
);

/** Tables with a partition for each day. `on only` does not change existing partitions. */
const PARTITIONED: ReadonlySet<string> = new Set([...HOME_PARTITIONED_TABLES, ...SHARD_PARTITIONED_TABLES]);

/**
 * Returns the reasons why a migration is incompatible with the previous version, or an empty list. `newTables` contains
 * the tables that were added after that version.
 */
export function findIncompatibilities(sql: string, newTables: Set<string>): string[] {
  return splitStatements(sql).flatMap(({ text, comments }) => {
    const harm = incompatibilityOf(text, newTables);
    if (harm === undefined || comments.some((comment) => JUSTIFIED.test(comment))) return [];
    return `${shorten(text)}: ${harm} ${TWO_RELEASES}`;
  });
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** Statements that only add objects that the previous version does not use. */
const COMPATIBLE =
  /^(create (sequence|type|view|function|domain) |comment on |create (unlogged )?table (if not exists )?\w+ \()/;
const CREATE_TABLE = /^create (?:unlogged )?table (?:if not exists )?(\w+) \(/;
const CREATE_INDEX = /^create (unique )?index (?:concurrently )?(?:if not exists )?(?:\w+ )?on (only )?(\w+)/;
const INSERT = /^insert into (\w+)/;
const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?(\w+) (.+)$/;

function incompatibilityOf(text: string, newTables: Set<string>): string | undefined {
  const table = CREATE_TABLE.exec(text)?.[1];
  if (table !== undefined) newTables.add(table);
  if (COMPATIBLE.test(text)) return undefined;
  const [, unique, only, indexed] = CREATE_INDEX.exec(text) ?? [];
  if (indexed !== undefined) {
    const isQuick =
      newTables.has(indexed) || SMALL_TABLES.has(indexed) || (only !== undefined && PARTITIONED.has(indexed));
    return incompatibilityOfIndex(text, indexed, {
      isUnique: unique !== undefined && !newTables.has(indexed),
      isQuick,
    });
  }
  const filled = INSERT.exec(text)?.[1];
  if (filled !== undefined) return newTables.has(filled) ? undefined : `the previous version also reads ${filled}.`;
  const [, altered, actions] = ALTER_TABLE.exec(text) ?? [];
  if (altered === undefined || actions === undefined)
    return 'this statement is not one of the forms that are known to be compatible.';
  if (newTables.has(altered)) return undefined;
  return splitList(actions)
    .map(incompatibilityOfAction)
    .find((harm) => harm !== undefined);
}

function incompatibilityOfIndex(
  text: string,
  table: string,
  { isUnique, isQuick }: { isUnique: boolean; isQuick: boolean },
) {
  if (text.includes(' concurrently '))
    return 'a migration runs in a transaction, in which `concurrently` is not possible.';
  if (isUnique) return `the previous version may write values that are not unique in ${table}.`;
  if (isQuick) return undefined;
  return `writes to ${table} are blocked until the index is created, which takes minutes for a large table. The operator must create it beforehand with \`create index concurrently\`. See "Locks" in migrations/README.md.`;
}

const ADD_COLUMN = /^add (?:column )?(?:if not exists )?(?!constraint|check|primary|unique|foreign|exclude)(\w+) (.+)$/;
/** A string, a number, true, false or null, with or without a type cast. */
const CONSTANT_DEFAULT = /\bdefault ('(?:[^']|'')*'|-?[\d.]+|true|false|null)(::[\w[\] ]+?)?(?= not null| check|$)/;

function incompatibilityOfAction(action: string): string | undefined {
  const [, column, rest] = ADD_COLUMN.exec(action) ?? [];
  if (column === undefined || rest === undefined) return `\`${shorten(action)}\` changes an existing object.`;
  if (/\b(references|unique|primary key|generated|exclude)\b/.test(rest))
    return `${column} constrains rows, and the previous version can write rows that violate the constraint.`;
  const hasDefault = /\bdefault\b/.test(rest);
  if (hasDefault && !CONSTANT_DEFAULT.test(rest))
    return `the default of ${column} is not constant, so PostgreSQL would rewrite every row under a lock.`;
  if (/\bnot null\b/.test(rest) && !hasDefault) return `the previous version writes rows without ${column}.`;
  return undefined;
}
