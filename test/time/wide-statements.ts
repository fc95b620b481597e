import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '#src/storage/database/database.ts';
import type { Stack } from '../../scripts/stack/stack.ts';

/** Settings of PostgreSQL for the functions of this file. */
export const explainSettings = {
  shared_preload_libraries: 'pg_stat_statements,auto_explain',
  'auto_explain.log_format': 'json',
  'auto_explain.log_min_duration': '-1',
  'auto_explain.log_nested_statements': 'on',
} as const;

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

/** Starts or stops recording the plans of all statements. Returns the length of the log. */
export async function setExplain(stack: Stack, { home }: Storage, isOn: boolean): Promise<number> {
  await home.query(`alter system set auto_explain.log_min_duration = ${isOn ? 0 : -1}`);
  await home.query('select pg_reload_conf()');
  return (await stat(logFile(stack))).size;
}

const logFile = (stack: Stack): string => join(stack.directory, 'postgres.log');

interface Plan {
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** Returns the recorded statements that read too many partitions, with their number. */
export async function findWideStatements(stack: Stack, from: number): Promise<string[]> {
  const log = (await readFile(logFile(stack))).subarray(from).toString();
  const wide = new Map<string, number>();
  // Each plan is a JSON text whose lines are indented by a tab.
  for (const [, json] of log.matchAll(/ plan:\n((?:\t.*\n)+)/g)) {
    const { 'Query Text': text, Plan: plan } = JSON.parse(json as string) as { 'Query Text': string; Plan: Plan };
    const partitions = new Set(relationsOf(plan).filter((name) => /_day_\d+$/.test(name)));
    const byTable = Map.groupBy(partitions, (name) => name.replace(/_day_\d+$/, ''));
    const most = Math.max(0, ...[...byTable.values()].map((names) => names.length));
    if (most > PARTITIONS_MAX && !allowed.some((statement) => text.includes(statement.text)))
      wide.set(text.replaceAll(/\s+/g, ' ').slice(0, 300), most);
  }
  return [...wide].map(([text, partitions]) => `${partitions} partitions: ${text}`);
}

function relationsOf(plan: Plan): string[] {
  return [plan['Relation Name'] ?? '', ...(plan.Plans ?? []).flatMap(relationsOf)];
}
