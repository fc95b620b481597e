import { SHARDS } from './task.ts';

/**
 * The position of a verification of the ledger. The verification checks the idempotency keys first and then the tasks,
 * each task shard by shard. A shard with a large number of places is checked in parts. The number of parts is fixed
 * when the first part is checked.
 */
export type VerifyCursor =
  | { readonly kind: 'keys'; readonly author: string; readonly requestId: string }
  | {
      readonly kind: 'tasks';
      readonly taskId: bigint;
      readonly shard: number;
      readonly part: number;
      readonly parts: number;
    };

export const VERIFY_START: VerifyCursor = { kind: 'keys', author: '', requestId: '' };

export const taskCursor = (taskId: bigint, shard = 0): VerifyCursor => ({
  kind: 'tasks',
  taskId,
  shard,
  part: 0,
  parts: 1,
});

/** Formats a cursor as a string without spaces, for the API. */
export function formatCursor(cursor: VerifyCursor): string {
  if (cursor.kind === 'tasks') return `t${cursor.taskId}.${cursor.shard}.${cursor.part}.${cursor.parts}`;
  return `k${Buffer.from(JSON.stringify([cursor.author, cursor.requestId])).toString('base64url')}`;
}

/** Returns undefined if the text is not a cursor. */
export function parseCursor(text: string): VerifyCursor | undefined {
  const task = /^t(\d{1,16})\.(\d{1,2})\.(\d{1,4})\.(\d{1,4})$/.exec(text);
  if (task) {
    const [shard, part, parts] = task.slice(2).map(Number) as [number, number, number];
    return shard < SHARDS && part < parts
      ? { kind: 'tasks', taskId: BigInt(task[1] as string), shard, part, parts }
      : undefined;
  }
  if (!/^k[\w-]+$/.test(text)) return undefined;
  const [author, requestId] = parseStrings(Buffer.from(text.slice(1), 'base64url').toString());
  return author === undefined || requestId === undefined ? undefined : { kind: 'keys', author, requestId };
}

/**
 * Returns the strings of a JSON array, or an empty list if it has other values or a NUL, which PostgreSQL cannot store.
 */
function parseStrings(json: string): readonly (string | undefined)[] {
  try {
    const strings: unknown = JSON.parse(json);
    const isStorableString = (text: unknown): text is string => typeof text === 'string' && !text.includes('\0');
    return Array.isArray(strings) && strings.every(isStorableString) ? strings : [];
  } catch {
    return [];
  }
}
