import type { VendorName } from '#src/domain/channel.ts';
import { subscriptionOf } from '../../simulators/webpush/subscriptions.ts';

/**
 * Returns a vendor token for a simulator, which derives the result of a notification from `name`, such as `live-1`. A
 * Web Push token is a subscription, whose URL contains the name.
 */
export const simulatorToken = (vendor: VendorName, name: string): string =>
  vendor === 'webpush' ? subscriptionOf(name) : name;
