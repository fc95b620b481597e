import { pushValidate } from '#src/contract/push/validate.ts';
import { type Channel, channels } from '#src/domain/channel.ts';
import { vendorMessage } from '#src/domain/message.ts';
import { type Reach, reachBit, vendorBits } from '#src/domain/reach.ts';
import { type Route as DeliveryRoute, firstRoute, type RouteRules, vendorsFor } from '#src/domain/routing.ts';
import { findCallbacks } from '#src/storage/accounts/callbacks.ts';
import { type Certificate, findCertificates } from '#src/storage/accounts/certificates.ts';
import { findQuotaUsage, type UsageSum } from '#src/storage/accounts/quota-usage.ts';
import { findExhaustedQuotas } from '#src/storage/accounts/quotas.ts';
import type { DeviceCount } from '#src/storage/devices/audience-counts.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { reachOfCertificates } from '#src/vendors/sender.ts';
import type { ApiContext, Route } from '../../context.ts';
import { limitNotifyRequests, readAudience, readStrategy } from '../../notify/audience.ts';
import { countDevices } from '../../notify/count-devices.ts';
import { checkMessage } from '../../notify/message-rules.ts';
import { previewNative, previewVendor } from '../../notify/previews.ts';

/**
 * Counts devices instead of listing them. Devices with the same routing share a row, so an audience of a million
 * devices needs only a few rows.
 */
export const pushValidateRoute: Route<typeof pushValidate> = {
  operation: pushValidate,
  admit: ({ ceilings }, { appId }) => ceilings.takeCall(appId, 'validate'),
  handle: async (context, request) => {
    const { storage } = context;
    const { app, caller, body, language } = request;
    const audience = await readAudience(storage.shards, caller, app.userPush, body.audience);
    await limitNotifyRequests(context, request, 'validate');
    const checked = await checkMessage(context, body);
    const message = vendorMessage(checked.message, app.name);
    const [certificates, callbacks, spentQuotas, quotaUsage] = await Promise.all([
      findCertificates(storage.home, app.appId),
      findCallbacks(storage.home, app.appId),
      findExhaustedQuotas(storage.home, app.appId),
      caller.kind === 'admin' ? readQuotaUsage(context, app.appId) : undefined,
    ]);
    const rules: RouteRules = {
      ...readStrategy(body),
      messageType: message.type,
      credentialReach: reachOfCertificates(certificates),
    };
    const { counts, incomplete } = await countDevices(context, caller, audience, { isShared: true });
    const routes = counts.map((device) => ({ device, route: firstRoute(rules, device), count: device.count }));
    const sum = (matches: (route: DeliveryRoute, device: DeviceCount) => boolean) =>
      routes.reduce((total, { route, device, count }) => (matches(route, device) ? total + count : total), 0n);
    const firstCounts = channels.map((channel) => [channel, sum((route) => route.channel === channel)] as const);
    const first = Object.fromEntries(firstCounts) as Record<Channel, bigint>;
    const previewed = { ...checked, appName: app.name, callbacks, spentQuotas, quotaUsage, language };
    const previews = certificatesToTry(certificates, rules, counts).map((certificate) => {
      const isFirst = ({ channel }: DeliveryRoute, { reach }: DeviceCount) =>
        channel === certificate.channel && (reach & rankOf(certificate)) !== 0;
      return previewVendor(context, certificate, previewed, sum(isFirst));
    });
    return {
      devices: sum(() => true),
      first,
      waiting: sum(({ toInbox }) => toInbox),
      unreachable: sum(({ channel }) => channel === 'none'),
      cuts: firstCounts.flatMap(([channel, count]) =>
        count === 0n || channel === 'nativepush'
          ? []
          : vendorRegistry[channel].cuts(message, language).map((text) => ({ channel, text })),
      ),
      demotions: previews.flatMap(({ demotions }) => demotions),
      previews: [
        ...(mayUseNative(rules, counts) ? [previewNative(context, checked, first.nativepush)] : []),
        ...previews.map(({ record }) => record),
      ],
      ignored: [...request.ignoredFields],
      incomplete,
    };
  },
};

/** Returns undefined if the usage cannot be read, because it is only information. */
const readQuotaUsage = ({ storage, clock, log }: ApiContext, appId: string): Promise<readonly UsageSum[] | undefined> =>
  findQuotaUsage(storage.home, appId, clock.now()).catch((error: unknown) => {
    log.warn('quota-usage-not-read', { appId, error });
    return undefined;
  });

/** Returns whether the Carillon channel may be used for at least one device, for the first attempt or as a fallback. */
const mayUseNative = ({ strategy }: RouteRules, devices: readonly DeviceCount[]): boolean =>
  strategy !== 'ospush_only' && devices.some(({ online, nativeTarget }) => online || nativeTarget);

/**
 * Returns the credentials that may be used for at least one device, either for the first attempt or as a fallback, sorted
 * by channel.
 */
function certificatesToTry(
  certificates: readonly Certificate[],
  rules: RouteRules,
  devices: readonly DeviceCount[],
): readonly Certificate[] {
  if (rules.strategy === 'nativepush_only') return [];
  const reachToTry = devices.reduce<Reach>(
    (reach, device) =>
      vendorsFor(rules, device).reduce((bits, vendor) => bits | (device.reach & vendorBits(vendor)), reach),
    0,
  );
  return certificates
    .filter(({ channel, environment }) => (reachToTry & reachBit(channel, environment)) !== 0)
    .sort((a, b) => rankOf(a) - rankOf(b));
}

const rankOf = ({ channel, environment }: Certificate): number => reachBit(channel, environment);
