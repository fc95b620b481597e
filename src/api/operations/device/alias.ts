import { deviceAlias } from '#src/contract/device/alias.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Truth } from '#src/storage/database/database.ts';
import {
  claimAlias,
  confirmAlias,
  hasAlias,
  removeAlias,
  setAlias,
  takeOverAlias,
} from '#src/storage/devices/aliases.ts';
import type { Route } from '../../context.ts';
import { changedHands, type NamedDevice, namedDevice } from '../../http/resolve-device.ts';

/**
 * An alias is one user's, by a row at home; then the device has it. The row of a user whose devices have all given it up
 * is taken over when somebody else wants it.
 */
export const deviceAliasRoute: Route<typeof deviceAlias> = {
  operation: deviceAlias,
  handle: async ({ truth }, { caller, body }) => {
    const device = await namedDevice(truth, caller, body.push_token);
    const shard = truth.shards.of(device.shard);
    const alias = body.alias ?? null;
    if (alias !== null) await claim(truth, device, alias);
    if (!(await setAlias(shard, device, alias))) throw changedHands();
    // Somebody may have found the row without a device a moment ago: whoever has it at home keeps it. The name that the
    // loser's device had before may be somebody else's too by now, so it has none.
    if (alias !== null && !(await confirmAlias(truth.home, device.appId, alias, device.userId))) {
      await removeAlias(shard, device, alias);
      throw taken();
    }
    return { alias };
  },
};

const taken = () => new Problem('already-exists', 'A device of another user has this alias.');

/** Each time somebody else takes it over in the moment between two statements. */
const CLAIMS_MAX = 20;

async function claim(truth: Truth, { appId, userId }: NamedDevice, alias: string): Promise<void> {
  for (let tries = 0; tries < CLAIMS_MAX; tries++) {
    const owner = await claimAlias(truth.home, appId, alias, userId);
    if (owner === undefined) throw changedHands();
    if (owner.userId === userId) return;
    const used = await Promise.all(truth.shards.all.map((db) => hasAlias(db, appId, owner.userId, alias)));
    if (used.includes(true)) throw taken();
    if (await takeOverAlias(truth.home, appId, alias, owner, userId)) return;
  }
  throw new Problem('try-later', 'Others want this alias at the same time.');
}
