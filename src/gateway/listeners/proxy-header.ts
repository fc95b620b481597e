import { isIP } from 'node:net';

/**
 * The result of reading the first bytes of a proxy's connection according to the PROXY protocol, version 1 or 2
 * (HAProxy's `doc/proxy-protocol.txt`, read 2026-11-15). `address` is the client address. It is undefined if the
 * connection belongs to the proxy itself.
 */
export type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'header'; readonly length: number; readonly address: string | undefined };

const INCOMPLETE: ProxyHeader = { kind: 'incomplete' };
const MALFORMED: ProxyHeader = { kind: 'malformed' };

const V1_PREFIX = Buffer.from('PROXY ');
const V1_BYTES_MAX = 107;
const V1_LINE = /^PROXY (?:UNKNOWN(?: .*)?|(?:TCP4|TCP6) (\S+) \S+ \d{1,5} \d{1,5})$/;

const V2_SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const V2_FIXED_BYTES = 16;
/** Maximum size of a version 2 header. The specification guarantees that 536 bytes fit into one TCP segment. */
const V2_BYTES_MAX = 536;
const V2_LOCAL = 0x20;
const V2_PROXY = 0x21;
/**
 * Size of a source address in bytes, by address family and transport. The header contains the source address, the
 * destination address and both ports, in this order.
 */
const v2AddressBytes: Readonly<Record<number, 4 | 16>> = { 17: 4, 33: 16 };

export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (matchesPrefix(bytes, V1_PREFIX)) return readVersion1(bytes);
  if (matchesPrefix(bytes, V2_SIGNATURE)) return readVersion2(bytes);
  return MALFORMED;
}

function readVersion1(bytes: Buffer): ProxyHeader {
  const end = bytes.indexOf('\r\n');
  if (end < 0) return bytes.length < V1_BYTES_MAX ? INCOMPLETE : MALFORMED;
  const line = V1_LINE.exec(bytes.toString('latin1', 0, end));
  if (!line || end + 2 > V1_BYTES_MAX) return MALFORMED;
  return headerOf(end + 2, line[1]);
}

function readVersion2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_FIXED_BYTES) return INCOMPLETE;
  const command = bytes.readUInt8(12);
  const length = V2_FIXED_BYTES + bytes.readUInt16BE(14);
  if (length > V2_BYTES_MAX || (command !== V2_LOCAL && command !== V2_PROXY)) return MALFORMED;
  if (bytes.length < length) return INCOMPLETE;
  if (command === V2_LOCAL) return headerOf(length, undefined);
  const addressBytes = v2AddressBytes[bytes.readUInt8(13)];
  if (addressBytes === undefined || length < V2_FIXED_BYTES + 2 * addressBytes + 4) return MALFORMED;
  return headerOf(length, formatAddress(bytes.subarray(V2_FIXED_BYTES, V2_FIXED_BYTES + addressBytes)));
}

/** Returns the header, or `malformed` if the address is not an IP address. */
function headerOf(length: number, address: string | undefined): ProxyHeader {
  if (address !== undefined && isIP(address) === 0) return MALFORMED;
  return { kind: 'header', length, address };
}

function formatAddress(address: Buffer): string {
  if (address.length === 4) return address.join('.');
  return (address.toString('hex').match(/.{4}/g) as string[]).join(':');
}

/** Compares only as many bytes as are available. */
function matchesPrefix(bytes: Buffer, prefix: Buffer): boolean {
  const length = Math.min(bytes.length, prefix.length);
  return bytes.subarray(0, length).equals(prefix.subarray(0, length));
}
