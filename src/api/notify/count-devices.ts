import type { Caller } from '#src/domain/caller.ts';
import { bucketOfPushToken } from '#src/domain/device.ts';
import type { Audience } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { findAliases } from '#src/storage/devices/aliases.ts';
import { type AudienceFilter, countAudience } from '#src/storage/devices/audience-counts.ts';
import { findDatabasesOfUsers } from '#src/storage/users/device-buckets.ts';
import { findMembers, findMembersAmong } from '#src/storage/users/groups.ts';
import type { ApiContext } from '../context.ts';
import type { CountedDevices } from './large-counts.ts';

type Context = Pick<ApiContext, 'storage' | 'largeCounts'>;

/**
 * Counts the devices of an audience in the databases that can contain them. Calls at the same time share one count of a
 * large audience if `isShared` is set.
 */
export async function countDevices(
  { storage, largeCounts }: Context,
  caller: Caller,
  audience: Audience,
  { isShared = false } = {},
): Promise<CountedDevices> {
  const { appId } = caller;
  const count = async (): Promise<CountedDevices> => {
    const parts: CountedDevices[] = [];
    for await (const part of countedAudiences(storage, caller, audience))
      parts.push(await countPart(storage, appId, part));
    return { counts: parts.flatMap(({ counts }) => counts), incomplete: parts.some(({ incomplete }) => incomplete) };
  };
  // A list has at most 500 entries, and is read by keys.
  if (audience.kind !== 'all' && audience.kind !== 'tag') return count();
  if (!isShared) return largeCounts.run(appId, count);
  const groupId = caller.kind === 'group' ? caller.groupId : null;
  return largeCounts.share(appId, stringifyJson([appId, groupId, audience]), count);
}

async function countPart(storage: Storage, appId: string, part: AudienceFilter): Promise<CountedDevices> {
  const filters = await filtersByDatabase(storage, appId, part);
  const found = await settleAvailable([...filters].map(([db, filter]) => countAudience(db, appId, filter)));
  return { counts: found.flat(), incomplete: found.length < filters.size };
}

/** Returns the databases that can contain devices of the audience, each with the users or push tokens to count there. */
async function filtersByDatabase(
  storage: Storage,
  appId: string,
  filter: AudienceFilter,
): Promise<ReadonlyMap<ShardDb, AudienceFilter>> {
  const { shards } = storage;
  const { userIds, pushTokens } = filter;
  if (pushTokens !== undefined) {
    const keys = pushTokens.flatMap((pushToken) => {
      const bucket = bucketOfPushToken(pushToken);
      return bucket === undefined ? [] : [{ pushToken, bucket }];
    });
    const groups = [...byDatabase(shards, keys, ({ bucket }) => bucket)];
    return new Map(
      groups.map(([db, tokens]) => [db, { ...filter, pushTokens: tokens.map(({ pushToken }) => pushToken) }]),
    );
  }
  if (userIds === undefined) return new Map(shards.all.map((db) => [db, filter]));
  const databases = await findDatabasesOfUsers(
    storage,
    userIds.map((userId) => ({ appId, userId })),
  );
  const found = userIds.flatMap((userId, i) => (databases[i] ?? []).map((db) => ({ db, userId })));
  return new Map(
    [...Map.groupBy(found, ({ db }) => db)].map(([db, users]) => [
      db,
      { ...filter, userIds: users.map(({ userId }) => userId) },
    ]),
  );
}

/** The number of devices of an audience. */
export interface DeviceSum {
  readonly devices: bigint;
  /** Whether a database was unavailable, so that there can be more devices. */
  readonly incomplete: boolean;
}

export async function sumOfDevices(context: Context, caller: Caller, audience: Audience): Promise<DeviceSum> {
  const { counts, incomplete } = await countDevices(context, caller, audience);
  return { devices: counts.reduce((sum, { count }) => sum + count, 0n), incomplete };
}

/** Returns whether a draft needs the approval of another token. It does if there can be more devices than counted. */
export const needsApproval = (
  { approvalAbove }: Pick<App, 'approvalAbove'>,
  { devices, incomplete }: DeviceSum,
): boolean => approvalAbove !== null && (incomplete || devices > approvalAbove);

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
