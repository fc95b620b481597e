import { deviceAlias } from '#src/contract/device/alias.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Storage } from '#src/storage/database/database.ts';
import {
  claimAlias,
  confirmAlias,
  hasAlias,
  removeAlias,
  setAlias,
  takeOverAlias,
} from '#src/storage/devices/aliases.ts';
import { findDatabasesOfUser } from '#src/storage/users/device-buckets.ts';
import type { Route } from '../../context.ts';
import { loggedOutProblem, type ResolvedDevice, resolveDevice } from '../../http/resolve-device.ts';

/**
 * An alias belongs to one user, as recorded by a row in the home database. The alias is set on the device afterwards.
 * If none of the owner's devices has the alias any more, another user can take over the row.
 */
export const deviceAliasRoute: Route<typeof deviceAlias> = {
  operation: deviceAlias,
  handle: async ({ storage }, { caller, body }) => {
    const device = await resolveDevice(storage, caller, body.push_token);
    const db = storage.shards.dbFor(device.bucket);
    const alias = body.alias ?? null;
    if (alias !== null) await claimOrTakeOverAlias(storage, device, alias);
    if (!(await setAlias(db, device, alias))) throw loggedOutProblem();
    // Another user may have taken over the alias since it was claimed. The owner in the home database keeps it, and
    // this device loses it. The device's previous alias is not restored, because it may belong to another user by now.
    if (alias !== null && !(await confirmAlias(storage.home, device.appId, alias, device.userId))) {
      await removeAlias(db, device, alias);
      throw aliasTakenProblem();
    }
    return { alias };
  },
};

const aliasTakenProblem = () => new Problem('already-exists', 'A device of another user has this alias.');

/** Maximum number of attempts. An attempt fails if another user takes over the alias between two statements. */
const CLAIMS_MAX = 20;

async function claimOrTakeOverAlias(storage: Storage, { appId, userId }: ResolvedDevice, alias: string): Promise<void> {
  for (let tries = 0; tries < CLAIMS_MAX; tries++) {
    const owner = await claimAlias(storage.home, appId, alias, userId);
    if (owner === undefined) throw loggedOutProblem();
    if (owner.userId === userId) return;
    const databases = await findDatabasesOfUser(storage, { appId, userId: owner.userId });
    const usedPerDatabase = await Promise.all(databases.map((db) => hasAlias(db, appId, owner.userId, alias)));
    if (usedPerDatabase.includes(true)) throw aliasTakenProblem();
    if (await takeOverAlias(storage.home, appId, alias, owner, userId)) return;
  }
  throw new Problem('service-unavailable', 'Other users are claiming this alias at the same time.');
}
