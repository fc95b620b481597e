/** A set of places in the format in which PostgreSQL prints a varbit: one character, 0 or 1, per place. */
export type Bits = string;

export const noBits = (placeCount: number): Bits => '0'.repeat(placeCount);

export function bitsOf(placeCount: number, places: Iterable<number>): Bits {
  const bits = new Array<string>(placeCount).fill('0');
  for (const place of places) bits[place] = '1';
  return bits.join('');
}

export const hasBit = (bits: Bits, place: number): boolean => bits[place] === '1';

/** Returns the union of both sets. They belong to the same slice and therefore have the same length. */
export function orBits(a: Bits, b: Bits): Bits {
  let or = '';
  for (let place = 0; place < a.length; place++) or += a[place] === '1' || b[place] === '1' ? '1' : '0';
  return or;
}
