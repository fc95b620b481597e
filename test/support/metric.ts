import assert from 'node:assert/strict';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';

/** Returns the value of a metric of a role, summed over its labels. */
export async function metricOf(role: RoleProcess, name: string): Promise<number> {
  const page = await (await fetch(`${role.healthUrl}/metrics`)).text();
  const values = [...page.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))];
  assert.ok(values.length > 0, `${role.role} does not report ${name}`);
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
