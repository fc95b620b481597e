import { domesticVendors, type VendorName, vendorBySequenceWord, vendorFacts } from './channel.ts';
import type { MessageType } from './message.ts';
import { type Reach, vendorBits } from './reach.ts';
import type { SliceChannel } from './slice.ts';
import type { Strategy } from './task.ts';

/** The properties of a task and its app that decide the route. */
export interface RouteRules {
  readonly strategy: Strategy;
  readonly ospushSequence: readonly string[];
  readonly messageType: MessageType;
  /** The vendors and environments for which the app has credentials. */
  readonly credentialReach: Reach;
}

/** The properties of a device that decide the route. */
export interface RoutedDevice {
  /** The vendors and environments with a live binding of the device. */
  readonly reach: Reach;
  readonly latestDomestic: VendorName | null;
  readonly online: boolean;
  /** The device has logged in or connected recently, so a notification can wait for it on the Carillon channel. */
  readonly nativeTarget: boolean;
}

/** `toInbox` means that the notification waits in the device's inbox instead of being sent immediately. */
export interface Route {
  readonly channel: SliceChannel;
  readonly toInbox: boolean;
}

/** Returns the route that is tried first. */
export function firstRoute(rules: RouteRules, device: RoutedDevice): Route {
  if (rules.strategy !== 'ospush_only' && device.online) return { channel: 'nativepush', toInbox: false };
  return nextRoute(rules, device, new Set());
}

/** Returns the route after the tried channels have failed: the next vendor, then the inbox, then none. */
export function nextRoute(rules: RouteRules, device: RoutedDevice, tried: ReadonlySet<SliceChannel>): Route {
  if (rules.strategy !== 'nativepush_only') {
    const vendor = vendorsFor(rules, device).find((candidate) => !tried.has(candidate));
    if (vendor) return { channel: vendor, toInbox: false };
  }
  if (rules.strategy !== 'ospush_only' && device.nativeTarget) return { channel: 'nativepush', toInbox: true };
  return { channel: 'none', toInbox: false };
}

/**
 * Returns the vendors that can deliver this message to this device, in the order in which they are tried. The strategy
 * is ignored.
 */
export function vendorsFor(rules: RouteRules, device: RoutedDevice): VendorName[] {
  const isUsable = (vendor: VendorName) =>
    (device.reach & rules.credentialReach & vendorBits(vendor)) !== 0 &&
    (rules.messageType !== 'cmd' || vendorFacts[vendor].supportsDataOnly);
  // A device with an APNs token is an Apple device, and the sequence applies only to Android.
  if ((device.reach & vendorBits('apns')) !== 0) return isUsable('apns') ? ['apns'] : [];
  const order = rules.ospushSequence.flatMap((item) => vendorsOfSequenceItem(item, device.latestDomestic));
  return [...new Set(order)].filter(isUsable);
}

/**
 * Returns the vendors of an item of `ospush_sequence`. Inside `ups`, the vendor that was bound most recently comes
 * first. Web Push follows FCM, because both serve devices outside of China.
 */
function vendorsOfSequenceItem(item: string, latestDomestic: VendorName | null): VendorName[] {
  if (item === 'fcm') return ['fcm', 'webpush'];
  if (item === 'ups') return latestDomestic ? [latestDomestic, ...domesticVendors] : [...domesticVendors];
  const vendor = vendorBySequenceWord.get(item);
  return vendor ? [vendor] : [];
}
