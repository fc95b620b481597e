import { domesticVendors, type VendorName, vendorBySequenceWord, vendorFacts } from './channel.ts';
import type { MessageType } from './message.ts';
import { type Reach, vendorBits } from './reach.ts';
import type { SliceChannel } from './slice.ts';
import type { Strategy } from './task.ts';

/** What a task and its app say about the way to take. */
export interface RouteRules {
  readonly strategy: Strategy;
  readonly ospushSequence: readonly string[];
  readonly messageType: MessageType;
  /** The vendors and environments the app has a certificate for. */
  readonly credentialReach: Reach;
}

/** What routing needs to know of a device. */
export interface RoutedDevice {
  /** The vendors and environments it has a live binding at. */
  readonly reach: Reach;
  readonly latestDomestic: VendorName | null;
  readonly online: boolean;
  /** It has logged in or connected lately, so a message may wait for it on the own channel. */
  readonly nativeTarget: boolean;
}

/** `waits`: the message goes to the device's inbox and not out at once. */
export interface Route {
  readonly channel: SliceChannel;
  readonly toInbox: boolean;
}

/** Which way a device is tried first. */
export function firstRoute(rules: RouteRules, device: RoutedDevice): Route {
  if (rules.strategy !== 'ospush_only' && device.online) return { channel: 'nativepush', toInbox: false };
  return nextRoute(rules, device, new Set());
}

/** Which way comes after those tried without success: the next vendor, then the inbox, then none. */
export function nextRoute(rules: RouteRules, device: RoutedDevice, tried: ReadonlySet<SliceChannel>): Route {
  if (rules.strategy !== 'nativepush_only') {
    const vendor = vendorsFor(rules, device).find((candidate) => !tried.has(candidate));
    if (vendor) return { channel: vendor, toInbox: false };
  }
  if (rules.strategy !== 'ospush_only' && device.nativeTarget) return { channel: 'nativepush', toInbox: true };
  return { channel: 'none', toInbox: false };
}

/** The vendors that can carry this message to this device, in the order they are tried, whatever the strategy. */
export function vendorsFor(rules: RouteRules, device: RoutedDevice): VendorName[] {
  const isUsable = (vendor: VendorName) =>
    (device.reach & rules.credentialReach & vendorBits(vendor)) !== 0 &&
    (rules.messageType !== 'cmd' || vendorFacts[vendor].supportsDataOnly);
  // A device with a token of Apple's is an iPhone; the sequence speaks of Android only.
  if ((device.reach & vendorBits('apns')) !== 0) return isUsable('apns') ? ['apns'] : [];
  const order = rules.ospushSequence.flatMap((item) => vendorsOfSequenceItem(item, device.latestDomestic));
  return [...new Set(order)].filter(isUsable);
}

/** What an item of `ospush_sequence` stands for. Inside `ups` the vendor bound most recently comes first. */
function vendorsOfSequenceItem(item: string, latestDomestic: VendorName | null): VendorName[] {
  if (item === 'ups') return latestDomestic ? [latestDomestic, ...domesticVendors] : [...domesticVendors];
  const vendor = vendorBySequenceWord.get(item);
  return vendor ? [vendor] : [];
}
