import { adminUserErasures } from '#src/contract/admin/user/erasures.ts';
import { findErasures } from '#src/storage/users/erasures.ts';
import type { Route } from '../../../context.ts';
import { toErasureRecord } from '../../../records/erasure-record.ts';
import { readPage } from '../../../records/page.ts';

export const adminUserErasuresRoute: Route<typeof adminUserErasures> = {
  operation: adminUserErasures,
  handle: async ({ storage }, { app, body }) => {
    const { list, next } = await readPage(
      body,
      (before, limit) => findErasures(storage.home, app.appId, body.user_id ?? null, before, limit),
      ({ erasureId }) => erasureId,
    );
    return { list: list.map((erasure) => toErasureRecord(storage.shards, erasure)), next };
  },
};
