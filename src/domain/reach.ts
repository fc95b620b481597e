import { type Environment, type VendorName, vendorFacts } from './channel.ts';

/**
 * A set of (vendor, environment) pairs as bits of one integer. A device's reach says where it has a live binding; an
 * app's says where it has a certificate; their intersection is where a notification can go.
 */
export type Reach = number;

export function reachBit(vendor: VendorName, environment: Environment): Reach {
  return 1 << (vendorFacts[vendor].reachIndex * 2 + environment);
}

/** Both environments of a vendor. A device has one live binding per vendor, so at most one of the two is set there. */
export function vendorBits(vendor: VendorName): Reach {
  return reachBit(vendor, 0) | reachBit(vendor, 1);
}
