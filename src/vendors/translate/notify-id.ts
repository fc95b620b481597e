/** The largest notification number that Android accepts. */
const NOTIFY_ID_MAX = 2n ** 31n - 1n;

/**
 * Returns the number under which a phone displays a task's notification. It is the same for every attempt, so a
 * duplicate replaces the original. It is never 0, which some vendors treat as missing. Two tasks that share a number by
 * chance replace each other, which happens to a phone once in two billion pairs.
 */
export const notifyIdOf = (taskId: bigint): number => Number((taskId % NOTIFY_ID_MAX) + 1n);
