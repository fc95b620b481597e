import { type Channel, domesticVendors, type Vendor } from './channel.ts';
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
  readonly certified: Reach;
}

/** What routing needs to know of a device. */
export interface RoutedDevice {
  /** The vendors and environments it has a live binding at. */
  readonly reach: Reach;
  readonly latestDomestic: Vendor | null;
  readonly online: boolean;
  /** It has logged in or connected lately, so a message may wait for it on the own channel. */
  readonly nativeTarget: boolean;
}

/** `waits`: the message goes to the device's inbox and not out at once. */
export interface Route {
  readonly channel: SliceChannel;
  readonly waits: boolean;
}

/** Which way a device is tried first. */
export function firstRoute(rules: RouteRules, device: RoutedDevice): Route {
  if (rules.strategy !== 'ospush_only' && device.online) return { channel: 'nativepush', waits: false };
  return nextRoute(rules, device, new Set());
}

/** Which way comes after those tried without success: the next vendor, then the inbox, then none. */
export function nextRoute(rules: RouteRules, device: RoutedDevice, tried: ReadonlySet<SliceChannel>): Route {
  if (rules.strategy !== 'nativepush_only') {
    const vendor = vendorsFor(rules, device).find((candidate) => !tried.has(candidate));
    if (vendor) return { channel: vendor, waits: false };
  }
  if (rules.strategy !== 'ospush_only' && device.nativeTarget) return { channel: 'nativepush', waits: true };
  return { channel: 'none', waits: false };
}

/** The vendors that can carry this message to this device, in the order they are tried, whatever the strategy. */
export function vendorsFor(rules: RouteRules, device: RoutedDevice): Vendor[] {
  const usable = (vendor: Vendor) =>
    (device.reach & rules.certified & vendorBits(vendor)) !== 0 &&
    (rules.messageType !== 'cmd' || PASS_THROUGH.has(vendor));
  // A device with a token of Apple's is an iPhone; the sequence speaks of Android only.
  if ((device.reach & vendorBits('apns')) !== 0) return usable('apns') ? ['apns'] : [];
  const order = rules.ospushSequence.flatMap((word) => vendorsOfWord(word, device.latestDomestic));
  return [...new Set(order)].filter(usable);
}

/** What an item of `ospush_sequence` stands for. Inside `ups` the vendor bound most recently comes first. */
function vendorsOfWord(word: string, latestDomestic: Vendor | null): Vendor[] {
  if (word === 'ups') return latestDomestic ? [latestDomestic, ...domesticVendors] : [...domesticVendors];
  return [(word === 'meizu' ? 'flyme' : word) as Vendor];
}

/** Channels that can hand data to the app without showing anything. */
const PASS_THROUGH: ReadonlySet<Channel> = new Set(['nativepush', 'apns', 'fcm', 'huawei', 'honor']);
