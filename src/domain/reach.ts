import { badgeVendors, type Environment, type VendorName, vendorFacts } from './channel.ts';

/**
 * A set of (vendor, environment) pairs, as bits of one integer. The reach of a device lists its live bindings, the
 * reach of an app its credentials. A notification can be sent where both overlap.
 */
export type Reach = number;

export function reachBit(vendor: VendorName, environment: Environment): Reach {
  return 1 << (vendorFacts[vendor].reachIndex * 2 + environment);
}

/**
 * Returns the bits of both environments of a vendor. A device has one live binding per vendor, so its reach has at most
 * one of the two.
 */
export function vendorBits(vendor: VendorName): Reach {
  return reachBit(vendor, 0) | reachBit(vendor, 1);
}

const BADGE_BITS = badgeVendors.reduce((bits, vendor) => bits | vendorBits(vendor), 0);

/** Returns whether a device has a binding whose notifications contain the number on the app's icon. */
export const needsBadge = (reach: Reach): boolean => (reach & BADGE_BITS) !== 0;
