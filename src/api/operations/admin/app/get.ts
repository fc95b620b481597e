import { adminAppGet } from '#src/contract/admin/app/get.ts';
import type { Route } from '../../../context.ts';
import { toAppRecord } from '../../../records/app-record.ts';

export const adminAppGetRoute: Route<typeof adminAppGet> = {
  operation: adminAppGet,
  handle: async ({ ceilings }, { app }) => toAppRecord(app, await ceilings.read(app.appId)),
};
