/** The largest notification number that Android accepts. */
const NOTIFY_ID_MAX = 2n ** 31n - 1n;

/**
 * Returns the number under which a device displays a task's notification. It is the same for every attempt, so a
 * duplicate replaces the original. It is never 0, which some vendors treat as missing. Two tasks with the same number
 * replace each other on the device. The chance is about one in two billion for each pair of tasks.
 */
export const notifyIdOf = (taskId: bigint): number => Number((taskId % NOTIFY_ID_MAX) + 1n);
