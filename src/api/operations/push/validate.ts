import { pushValidate } from '#src/contract/push/validate.ts';
import type { Caller } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import { type Reach, reachBit, vendorBits } from '#src/domain/reach.ts';
import { firstRoute, type RouteRules, vendorsFor, type Route as Way } from '#src/domain/routing.ts';
import type { Audience } from '#src/domain/task.ts';
import { type Keyring, open } from '#src/foundation/sealed-box.ts';
import { type Certificate, certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { findAliases } from '#src/storage/devices/aliases.ts';
import { type CountedAudience, countAudience, type DeviceCount } from '#src/storage/devices/audience-counts.ts';
import { findMembers, findMembersAmong } from '#src/storage/users/groups.ts';
import { certifiedReach, cutsOf, demotionsOf } from '#src/vendors/sender.ts';
import type { Route } from '../../context.ts';
import { readAudience, readStrategy, takeNotify } from '../../notify/audience.ts';
import { checkMessage } from '../../notify/message-rules.ts';

/** Counts instead of listing: devices that routing cannot tell apart are one row, so a million are a few. */
export const pushValidateRoute: Route<typeof pushValidate> = {
  operation: pushValidate,
  handle: async (context, request) => {
    const { truth } = context;
    const { app, caller, body } = request;
    const audience = await readAudience(truth.shards, caller, app.userPush, body.audience);
    await takeNotify(context, request);
    const { message } = await checkMessage(context, body.message);
    const certificates = await findCertificates(truth.home, app.appId);
    const rules: RouteRules = {
      ...readStrategy(body),
      messageType: message.type,
      certified: certifiedReach(certificates),
    };
    const counts = await countDevices(truth, caller, audience);
    const ways = counts.map((devices) => ({ way: firstRoute(rules, devices), count: devices.count }));
    const sum = (fits: (way: Way) => boolean) =>
      ways.reduce((total, { way, count }) => (fits(way) ? total + count : total), 0n);
    const first = channels.map((channel) => [channel, sum((way) => way.channel === channel)] as const);
    return {
      devices: sum(() => true),
      first: Object.fromEntries(first),
      waiting: sum(({ waits }) => waits),
      unreachable: sum(({ channel }) => channel === 'none'),
      cuts: first.flatMap(([channel, count]) =>
        count === 0n || channel === 'nativepush' ? [] : cutsOf(channel, message).map((text) => ({ channel, text })),
      ),
      demotions: demotionsBy(context.keyring, triedOf(certificates, rules, counts), message),
    };
  },
};

/** The certificates that some device may be tried with, now or after other channels, in the order of channels. */
function triedOf(
  certificates: readonly Certificate[],
  rules: RouteRules,
  devices: readonly DeviceCount[],
): readonly Certificate[] {
  if (rules.strategy === 'nativepush_only') return [];
  const tried = devices.reduce<Reach>(
    (reach, device) =>
      vendorsFor(rules, device).reduce((bits, vendor) => bits | (device.reach & vendorBits(vendor)), reach),
    0,
  );
  return certificates
    .filter(({ channel, environment }) => (tried & reachBit(channel, environment)) !== 0)
    .sort((one, other) => rankOf(one) - rankOf(other));
}

const rankOf = ({ channel, environment }: Certificate): number => reachBit(channel, environment);

function demotionsBy(keyring: Keyring, certificates: readonly Certificate[], message: Message) {
  return certificates.flatMap((found) => {
    const { channel, environment } = found;
    return demotionsWith(keyring, found, message).map((text) => ({ channel, environment, text }));
  });
}

/** The secret itself is not needed. One that cannot be read sends nothing either. */
function demotionsWith(keyring: Keyring, found: Certificate, message: Message): string[] {
  try {
    const certificate = open(keyring, certificateContext(found, 'certificate'), found.certificate);
    return demotionsOf(found.channel, message, { ...found, appSecret: '', certificate });
  } catch {
    return ['Its certificate cannot be read: save it anew.'];
  }
}

async function countDevices(truth: Truth, caller: Caller, audience: Audience): Promise<DeviceCount[]> {
  const counts: DeviceCount[] = [];
  for await (const part of partsOf(truth, caller, audience))
    counts.push(...(await Promise.all(truth.shards.all.map((db) => countAudience(db, caller.appId, part)))).flat());
  return counts;
}

/** What is counted: the audience, cut to the caller's group; each device falls into one part. */
async function* partsOf(truth: Truth, caller: Caller, audience: Audience): AsyncGenerator<CountedAudience> {
  const { appId } = caller;
  const named = await namedBy(truth, appId, audience);
  if (caller.kind !== 'group') return yield named;
  if (named.userIds !== undefined)
    return yield { ...named, userIds: await findMembersAmong(truth.home, appId, caller.groupId, named.userIds) };
  for await (const userIds of findMembers(truth.home, appId, caller.groupId)) yield { ...named, userIds };
}

async function namedBy({ home }: Truth, appId: string, audience: Audience): Promise<CountedAudience> {
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
      // The aliases of all these users: none can have another's, since an alias is one user's.
      return { aliases: owners.map(({ alias }) => alias), userIds: owners.map(({ userId }) => userId) };
    }
  }
}
