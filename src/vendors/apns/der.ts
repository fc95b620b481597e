import forge from 'node-forge';

/** A piece of ASN.1. Reading one that is not what it should be throws; the caller knows what was expected of it. */
export type Der = forge.asn1.Asn1;

const { Class, Type } = forge.asn1;

export function readDer(bytes: Buffer): Der {
  return forge.asn1.fromDer(bytes.toString('latin1'));
}

export function writeDer(piece: Der): Buffer {
  return Buffer.from(forge.asn1.toDer(piece).getBytes(), 'latin1');
}

/** What is inside a sequence, a set or a tag. */
export function partsOf(piece: Der | undefined): readonly Der[] {
  if (!Array.isArray(piece?.value)) throw new Error('A sequence was expected.');
  return piece.value;
}

export function oidOf(piece: Der | undefined): string {
  if (piece?.type !== Type.OID || typeof piece.value !== 'string')
    throw new Error('An object identifier was expected.');
  return forge.asn1.derToOid(piece.value);
}

/** The bytes of an octet string, also under a tag, also cut into pieces as BER allows. */
export function octetsOf(piece: Der | undefined): Buffer {
  if (piece === undefined || (piece.type !== Type.OCTETSTRING && piece.tagClass !== Class.CONTEXT_SPECIFIC))
    throw new Error('An octet string was expected.');
  if (typeof piece.value === 'string') return Buffer.from(piece.value, 'latin1');
  return Buffer.concat(piece.value.map(octetsOf));
}

/** A number from one up, rounded when it is far too large for any use. */
export function countOf(piece: Der | undefined): number {
  if (piece?.type !== Type.INTEGER || typeof piece.value !== 'string') throw new Error('A number was expected.');
  const count = Number.parseInt(Buffer.from(piece.value, 'latin1').toString('hex'), 16);
  if (!(count >= 1)) throw new Error('A number from one up was expected.');
  return count;
}

export function isSequence(piece: Der): boolean {
  return piece.tagClass === Class.UNIVERSAL && piece.type === Type.SEQUENCE;
}

/** The text of a UTF-8, printable or IA5 string; nothing for anything else. */
export function asciiOf(piece: Der): string | undefined {
  const isString = [Type.UTF8, Type.PRINTABLESTRING, Type.IA5STRING].includes(piece.type);
  return isString && piece.tagClass === Class.UNIVERSAL && typeof piece.value === 'string' ? piece.value : undefined;
}
