import { formatTable } from '../result.ts';
import { roundFigure } from './work.ts';

/**
 * The protections against attacks that need additional statements, by the tables that only they use. All others only
 * add columns or conditions to statements that exist anyway, or work without the database.
 */
const tablesOfMitigations = {
  'ceilings per app': ['app_ceilings', 'app_usage', 'app_sessions', 'stored_bytes'],
  'limits of logins and requests': ['limit_points'],
  'chain of audit entries': ['audit_chain'],
  'signatures of callbacks': ['callback_signatures'],
  'erasure of users': ['erasures'],
  'checks of master keys': ['master_key_checks'],
} as const;

export type Mitigation = keyof typeof tablesOfMitigations;
export type MitigationStatements = Readonly<Record<Mitigation, number>>;

export type StatementCalls = ReadonlyMap<string, number>;

/** Returns how many statements of each mitigation were executed between two readings. */
export function countMitigations(before: StatementCalls, after: StatementCalls): MitigationStatements {
  return mapMitigations((mitigation) => {
    const isOfMitigation = new RegExp(`\\b(${tablesOfMitigations[mitigation].join('|')})\\b`);
    return [...after]
      .filter(([query]) => isOfMitigation.test(query))
      .reduce((sum, [query, calls]) => sum + calls - (before.get(query) ?? 0), 0);
  });
}

/** Returns the statements per unit, without those of an idle service in the same time. */
export function mitigationsPerUnit(
  statements: MitigationStatements,
  idle: MitigationStatements,
  { units, idleRatio }: { readonly units: number; readonly idleRatio: number },
): MitigationStatements {
  return mapMitigations((mitigation) =>
    roundFigure(Math.max(statements[mitigation] - idle[mitigation] * idleRatio, 0) / units),
  );
}

const mapMitigations = (statementsOf: (mitigation: Mitigation) => number): MitigationStatements =>
  Object.fromEntries(
    (Object.keys(tablesOfMitigations) as Mitigation[]).map((mitigation) => [mitigation, statementsOf(mitigation)]),
  ) as MitigationStatements;

/** Formats the statements of each mitigation in each scenario as a table. */
export function formatMitigations(byScenario: Readonly<Record<string, MitigationStatements>>): string {
  const scenarios = Object.keys(byScenario);
  const rows = (Object.keys(tablesOfMitigations) as Mitigation[]).map((mitigation) => [
    mitigation,
    ...Object.values(byScenario).map((statements) => `${statements[mitigation]}`),
  ]);
  return formatTable(
    ['statements of', ...scenarios],
    rows,
    scenarios.map((_, i) => i + 1),
  );
}
