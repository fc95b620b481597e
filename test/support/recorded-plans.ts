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

/** A node of a plan. The numbers of rows are present if `auto_explain.log_analyze` is on, and are averages of its loops. */
export interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Starts or stops recording the plans of all statements. Returns the length of the log. */
export async function setExplain(stack: Stack, { home }: Storage, isOn: boolean): Promise<number> {
  await home.query(`alter system set auto_explain.log_min_duration = ${isOn ? 0 : -1}`);
  await home.query('select pg_reload_conf()');
  return (await stat(logFile(stack))).size;
}

const logFile = (stack: Stack): string => join(stack.directory, 'postgres.log');

/** Returns the recorded statements with all nodes of their plans. */
export async function readPlans(stack: Stack, from: number): Promise<{ text: string; nodes: readonly Plan[] }[]> {
  const log = (await readFile(logFile(stack))).subarray(from).toString();
  // Each plan is a JSON text whose lines are indented by a tab.
  return [...log.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json]) => {
    const { 'Query Text': text, Plan: plan } = JSON.parse(json as string) as { 'Query Text': string; Plan: Plan };
    return { text: text.replaceAll(/\s+/g, ' '), nodes: nodesOf(plan) };
  });
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
