import { adminAppCeilings } from '#src/contract/admin/app/ceilings.ts';
import { Problem } from '#src/domain/problem.ts';
import { type CeilingName, ceilingColumns, ceilingNames, setCeilings } from '#src/storage/accounts/ceilings.ts';
import type { Route } from '../../../context.ts';
import { toLimitsRecord } from '../../../records/app-record.ts';

/** The value that restores the default of the settings. */
const DEFAULT = -1n;

export const adminAppCeilingsRoute: Route<typeof adminAppCeilings> = {
  operation: adminAppCeilings,
  handle: async ({ storage, ceilings }, { body }) => {
    const { target_app_id: appId } = body;
    const changes: Partial<Record<CeilingName, number | null>> = {};
    for (const name of ceilingNames) {
      const field = ceilingColumns[name];
      const value = body[field];
      if (value === undefined) continue;
      if (value > Number.MAX_SAFE_INTEGER)
        throw new Problem('bad-parameter', `${field} must be at most ${Number.MAX_SAFE_INTEGER}.`);
      changes[name] = value === DEFAULT ? null : Number(value);
    }
    if (!(await setCeilings(storage.home, appId, changes))) throw new Problem('unknown-app');
    ceilings.forget(appId);
    return toLimitsRecord(await ceilings.read(appId));
  },
};
