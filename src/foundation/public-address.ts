import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses that are not public: loopback, private networks, link-local, multicast and reserved ranges. */
const reservedV4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reservedV4.addSubnet(network, prefix, 'ipv4');

/**
 * Only the global unicast range of IPv6 is public, except ranges in it that are reserved or contain an IPv4 address.
 */
const globalUnicastV6 = new BlockList();
globalUnicastV6.addSubnet('2000::', 3, 'ipv6');
const reservedV6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  reservedV6.addSubnet(network, prefix, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return globalUnicastV6.check(address, 'ipv6') && !reservedV6.check(address, 'ipv6');
  return isIP(address) === 4 && !reservedV4.check(address, 'ipv4');
}

const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');

/** Returns whether a host of a URL is this machine, so that a connection to it crosses no network. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return address === 'localhost';
  return loopbackAddresses.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
