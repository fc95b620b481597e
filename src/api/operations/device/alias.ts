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
import type { Route } from '../../context.ts';
import { ownerChangedProblem, type ResolvedDevice, resolveDevice } from '../../http/resolve-device.ts';

/**
 * An alias is one user's, by a row at home; then the device has it. The row of a user whose devices have all given it up
 * is taken over when somebody else wants it.
 */
export const deviceAliasRoute: Route<typeof deviceAlias> = {
  operation: deviceAlias,
  handle: async ({ storage }, { caller, body }) => {
    const device = await resolveDevice(storage, caller, body.push_token);
    const shard = storage.shards.dbFor(device.shard);
    const alias = body.alias ?? null;
    if (alias !== null) await claimOrTakeOverAlias(storage, device, alias);
    if (!(await setAlias(shard, device, alias))) throw ownerChangedProblem();
    // Somebody may have found the row without a device a moment ago: whoever has it at home keeps it. The name that the
    // loser's device had before may be somebody else's too by now, so it has none.
    if (alias !== null && !(await confirmAlias(storage.home, device.appId, alias, device.userId))) {
      await removeAlias(shard, device, alias);
      throw aliasTakenProblem();
    }
    return { alias };
  },
};

const aliasTakenProblem = () => new Problem('already-exists', 'A device of another user has this alias.');

/** Each time somebody else takes it over in the moment between two statements. */
const CLAIMS_MAX = 20;

async function claimOrTakeOverAlias(storage: Storage, { appId, userId }: ResolvedDevice, alias: string): Promise<void> {
  for (let tries = 0; tries < CLAIMS_MAX; tries++) {
    const owner = await claimAlias(storage.home, appId, alias, userId);
    if (owner === undefined) throw ownerChangedProblem();
    if (owner.userId === userId) return;
    const usedPerDatabase = await Promise.all(storage.shards.all.map((db) => hasAlias(db, appId, owner.userId, alias)));
    if (usedPerDatabase.includes(true)) throw aliasTakenProblem();
    if (await takeOverAlias(storage.home, appId, alias, owner, userId)) return;
  }
  throw new Problem('service-unavailable', 'Others want this alias at the same time.');
}
