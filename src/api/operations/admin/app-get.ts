import { adminAppGet } from '#src/contract/admin/app-get.ts';
import { toAppRecord } from '../../app-record.ts';
import type { Route } from '../../context.ts';

export const adminAppGetRoute: Route<typeof adminAppGet> = {
  operation: adminAppGet,
  handle: async (_context, { app }) => toAppRecord(app),
};
