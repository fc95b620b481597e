import type { HomeDb, ShardDb } from './database.ts';

/** Work that is in progress, and the databases that it needs. */
export interface WorkGroup {
  readonly databases: Iterable<HomeDb | ShardDb>;
  readonly work: Promise<unknown>;
}

const CHECK_MS = 50;

/**
 * Resolves when each group has ended or waits for a silent database. Returns the groups that have not ended. Failures
 * are left to the caller. While `canLeave` returns false for the number of unfinished groups, it waits for all of them.
 */
export async function waitWhileResponsive(
  groups: readonly WorkGroup[],
  canLeave: (unfinished: number) => boolean = () => true,
): Promise<ReadonlySet<WorkGroup>> {
  const unfinished = new Set(groups);
  const remove = (group: WorkGroup) => () => void unfinished.delete(group);
  const all = Promise.all(groups.map((group) => group.work.then(remove(group), remove(group))));
  const onlySilent = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (canLeave(unfinished.size) && [...unfinished].every(isSilent)) onlySilent.resolve();
    else timer = setTimeout(check, CHECK_MS);
  };
  timer = setTimeout(check, CHECK_MS);
  try {
    await Promise.race([all, onlySilent.promise]);
  } finally {
    clearTimeout(timer);
  }
  return unfinished;
}

function isSilent({ databases }: WorkGroup): boolean {
  for (const db of databases) if (db.isSilent) return true;
  return false;
}
