import { Problem } from '#src/domain/problem.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { groupExists } from '#src/storage/users/groups.ts';

export async function requireGroup(db: HomeDb, appId: string, groupId: bigint): Promise<void> {
  if (!(await groupExists(db, appId, groupId))) throw new Problem('no-such-group');
}
