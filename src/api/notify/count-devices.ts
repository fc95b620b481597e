import type { Caller } from '#src/domain/caller.ts';
import type { Audience } from '#src/domain/task.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findAliases } from '#src/storage/devices/aliases.ts';
import { type AudienceFilter, countAudience, type DeviceCount } from '#src/storage/devices/audience-counts.ts';
import { findMembers, findMembersAmong } from '#src/storage/users/groups.ts';

/** Counts the devices of an audience, in one row for all devices with the same routing. */
export async function countDevices(storage: Storage, caller: Caller, audience: Audience): Promise<DeviceCount[]> {
  const counts: DeviceCount[] = [];
  for await (const part of countedAudiences(storage, caller, audience))
    counts.push(...(await Promise.all(storage.shards.all.map((db) => countAudience(db, caller.appId, part)))).flat());
  return counts;
}

/** Returns the number of devices of an audience. */
export async function sumOfDevices(storage: Storage, caller: Caller, audience: Audience): Promise<bigint> {
  return (await countDevices(storage, caller, audience)).reduce((sum, { count }) => sum + count, 0n);
}

/** Returns whether a draft for this number of devices needs the approval of another token. */
export const needsApproval = ({ approvalAbove }: Pick<App, 'approvalAbove'>, devices: bigint): boolean =>
  approvalAbove !== null && devices > approvalAbove;

/** Yields the filters to count: the audience, restricted to the caller's group. Each device matches one filter. */
async function* countedAudiences(storage: Storage, caller: Caller, audience: Audience): AsyncGenerator<AudienceFilter> {
  const { appId } = caller;
  const countedAudience = await toCountedAudience(storage, appId, audience);
  if (caller.kind !== 'group') return yield countedAudience;
  if (countedAudience.userIds !== undefined)
    return yield {
      ...countedAudience,
      userIds: await findMembersAmong(storage.home, appId, caller.groupId, countedAudience.userIds),
    };
  for await (const userIds of findMembers(storage.home, appId, caller.groupId)) yield { ...countedAudience, userIds };
}

async function toCountedAudience({ home }: Storage, appId: string, audience: Audience): Promise<AudienceFilter> {
  switch (audience.kind) {
    case 'all':
      return {};
    case 'tag':
      return { tags: audience.names };
    case 'user_id':
      return { userIds: audience.userIds };
    case 'push_token':
      return { pushTokens: audience.pushTokens };
    case 'alias': {
      const owners = await findAliases(
        home,
        audience.names.map((alias) => ({ appId, alias })),
      );
      // Filtering by aliases and users independently is safe, because an alias belongs to one user.
      return { aliases: owners.map(({ alias }) => alias), userIds: owners.map(({ userId }) => userId) };
    }
  }
}
