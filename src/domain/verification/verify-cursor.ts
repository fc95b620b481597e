import { BUCKETS } from '../bucket.ts';

/**
 * The position of a verification of the ledger. The verification checks the idempotency keys first and then the tasks,
 * each task bucket by bucket. A bucket with a large number of places is checked in parts. The number of parts is fixed
 * when the first part is checked.
 */
export type VerifyCursor =
  | { readonly kind: 'keys'; readonly bucket: number; readonly author: string; readonly requestId: string }
  | {
      readonly kind: 'tasks';
      readonly taskId: bigint;
      readonly bucket: number;
      readonly part: number;
      readonly parts: number;
    };

export const VERIFY_START: VerifyCursor = { kind: 'keys', bucket: 0, author: '', requestId: '' };

export const taskCursor = (taskId: bigint, bucket = 0): VerifyCursor => ({
  kind: 'tasks',
  taskId,
  bucket,
  part: 0,
  parts: 1,
});

/** Formats a cursor as a string without spaces, for the API. */
export function formatCursor(cursor: VerifyCursor): string {
  if (cursor.kind === 'tasks') return `t${cursor.taskId}.${cursor.bucket}.${cursor.part}.${cursor.parts}`;
  const { bucket, author, requestId } = cursor;
  return `k${bucket}.${Buffer.from(JSON.stringify([author, requestId])).toString('base64url')}`;
}

/** Returns undefined if the text is not a cursor. */
export function parseCursor(text: string): VerifyCursor | undefined {
  const task = /^t(\d{1,16})\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/.exec(text);
  if (task) {
    const [bucket, part, parts] = task.slice(2).map(Number) as [number, number, number];
    return bucket < BUCKETS && part < parts
      ? { kind: 'tasks', taskId: BigInt(task[1] as string), bucket, part, parts }
      : undefined;
  }
  const keys = /^k(\d{1,4})\.([\w-]+)$/.exec(text);
  if (!keys || Number(keys[1]) >= BUCKETS) return undefined;
  const [author, requestId] = parseStrings(Buffer.from(keys[2] as string, 'base64url').toString());
  if (author === undefined || requestId === undefined) return undefined;
  return { kind: 'keys', bucket: Number(keys[1]), author, requestId };
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
