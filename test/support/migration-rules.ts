import { HOME_PARTITIONED_TABLES, SHARD_PARTITIONED_TABLES } from '#src/storage/database/partitions.ts';

/** One statement of a migration, with the comment lines directly above it. */
export interface Statement {
  readonly text: string;
  readonly comments: readonly string[];
}

/** Comments, texts, dollar quotes and names in quotes may hold a semicolon that ends nothing. */
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

/** Everything between commas, except inside of parentheses and texts. */
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

/** Above a statement that only a person can judge. */
const JUSTIFIED = /^-- compatible: .{20,}/;

const TWO_RELEASES =
  'Roles of the version before are at work on this schema during an upgrade, and after one that is taken back. Do it in two releases: expand now (add the new place, write both, read whichever is there) and contract in the next one, when the version before knows both. If it is that next one, or the version before survives it all the same, say why on the line above: `-- compatible: …`. See migrations/README.md.';

/** A row for an app, a vendor or an admin: an index on them is made in milliseconds. */
export const SMALL_TABLES = new Set(
  ['apps', 'groups', 'admin_tokens', 'certificates', 'deleted_certificates', 'gates', 'quotas', 'rates'].concat([
    'provider_tokens',
    'callbacks',
    'gateways',
  ]),
);

/** Those with a partition for each day: `on only` leaves the days that are there alone. */
const PARTITIONED: ReadonlySet<string> = new Set([...HOME_PARTITIONED_TABLES, ...SHARD_PARTITIONED_TABLES]);

/** Why a migration would hurt the version before, in sentences; none: it does not. `made`: tables that came after it. */
export function findIncompatibilities(sql: string, newTables: Set<string>): string[] {
  return splitStatements(sql).flatMap(({ text, comments }) => {
    const harm = incompatibilityOf(text, newTables);
    if (harm === undefined || comments.some((comment) => JUSTIFIED.test(comment))) return [];
    return `${shorten(text)}: ${harm} ${TWO_RELEASES}`;
  });
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** Forms that add something that nobody of the version before looks at. */
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
  if (filled !== undefined) return newTables.has(filled) ? undefined : `the version before reads ${filled} too.`;
  const [, altered, actions] = ALTER_TABLE.exec(text) ?? [];
  if (altered === undefined || actions === undefined) return 'this is no form that is known to be harmless.';
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
  if (text.includes(' concurrently ')) return 'a migration is a transaction, and `concurrently` cannot be in one.';
  if (isUnique) return `the version before may write what is not unique in ${table}.`;
  if (isQuick) return undefined;
  return `nobody could write to ${table} until the index is made, which takes minutes where there are many rows. The operator has to make it beforehand, with \`create index concurrently\`; see "Locks" in migrations/README.md.`;
}

const ADD_COLUMN = /^add (?:column )?(?:if not exists )?(?!constraint|check|primary|unique|foreign|exclude)(\w+) (.+)$/;
/** A text, a number, true, false or null, as some type or not. */
const CONSTANT_DEFAULT = /\bdefault ('(?:[^']|'')*'|-?[\d.]+|true|false|null)(::[\w[\] ]+?)?(?= not null| check|$)/;

function incompatibilityOfAction(action: string): string | undefined {
  const [, column, rest] = ADD_COLUMN.exec(action) ?? [];
  if (column === undefined || rest === undefined) return `\`${shorten(action)}\` changes what is there.`;
  if (/\b(references|unique|primary key|generated|exclude)\b/.test(rest))
    return `${column} ties rows that the version before writes without knowing of it.`;
  const hasDefault = /\bdefault\b/.test(rest);
  if (hasDefault && !CONSTANT_DEFAULT.test(rest))
    return `the default of ${column} is not constant, so every row would be written anew under a lock.`;
  if (/\bnot null\b/.test(rest) && !hasDefault) return `the version before writes rows without ${column}.`;
  return undefined;
}
