import type { Carillon } from './carillon.ts';

/**
 * Returns the number of log lines at `warn` or above by role and event, for the output of a test. Other lines are those
 * of stack traces.
 */
export function countWarnings({ warningLines }: Carillon): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of warningLines) {
    const match = /"role":"(\w+)".*"event":"([\w-]+)"/.exec(line);
    const name = match ? `${match[1]} ${match[2]}` : 'other lines';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
