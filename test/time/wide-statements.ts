import type { Stack } from '../../scripts/stack/stack.ts';
import { readPlans } from '../support/recorded-plans.ts';

/** Maximum number of partitions of one table that a statement may read. */
const PARTITIONS_MAX = 4;

/** Statements that may read more partitions, by a part of their text, and why. */
const allowed: readonly { readonly text: string; readonly why: string }[] = [
  {
    text: 'as day (first, last)',
    why: 'looks for days with open work once a minute; each day that it names reads one partition',
  },
  {
    text: 'delete from final_counts',
    why: 'reads the oldest task once an hour, from the index of the first partition that has a task',
  },
  {
    text: 'count(*)::float8 as count',
    why: 'one worker counts the open tasks once a minute, in an index of each partition that contains only these tasks',
  },
];

/** Returns the recorded statements that read too many partitions, with their number. */
export async function findWideStatements(stack: Stack, from: number): Promise<string[]> {
  const wide = new Map<string, number>();
  for (const { text, nodes } of await readPlans(stack, from)) {
    const relations = nodes.map((node) => node['Relation Name'] ?? '');
    const partitions = new Set(relations.filter((name) => /_day_\d+$/.test(name)));
    const byTable = Map.groupBy(partitions, (name) => name.replace(/_day_\d+$/, ''));
    const most = Math.max(0, ...[...byTable.values()].map((names) => names.length));
    if (most > PARTITIONS_MAX && !allowed.some((statement) => text.includes(statement.text)))
      wide.set(text.slice(0, 300), most);
  }
  return [...wide].map(([text, partitions]) => `${partitions} partitions: ${text}`);
}
