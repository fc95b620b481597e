/**
 * Returns the key under which an address is counted. For IPv6 it is the first 64 bits, because a client usually
 * controls a whole /64 network. An IPv4 address on an IPv6 socket has the same key as on an IPv4 socket.
 */
export function addressKeyOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const between = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return `${[...first, ...between, ...last].slice(0, 4).join(':')}::`;
}
