/**
 * Whom an address stands for. Of IPv6 it is the first 64 bits: whoever has one address of them has all of them. An IPv4
 * address that came by an IPv6 socket is the same as without.
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
