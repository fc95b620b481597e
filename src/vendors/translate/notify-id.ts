/** What Android takes for the number of a notification ends here. */
const NOTIFY_ID_MAX = 2n ** 31n - 1n;

/**
 * The number under which a phone shows a task's notification, the same for every attempt: one sent twice replaces itself.
 * Never 0, which some vendors take for none. Two tasks that share a number by chance replace each other, which happens to
 * a phone once in two thousand million pairs.
 */
export const notifyIdOf = (taskId: bigint): number => Number((taskId % NOTIFY_ID_MAX) + 1n);
