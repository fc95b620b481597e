import forge from 'node-forge';

/**
 * An ASN.1 node. The readers below throw if a node has an unexpected type, and their callers turn that into an error
 * message.
 */
export type Der = forge.asn1.Asn1;

const { Class, Type } = forge.asn1;

export function readDer(bytes: Buffer): Der {
  return forge.asn1.fromDer(bytes.toString('latin1'));
}

export function writeDer(node: Der): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');
}

/** Returns the children of a sequence, a set or a tagged value. */
export function childrenOf(node: Der | undefined): readonly Der[] {
  if (!Array.isArray(node?.value)) throw new Error('A sequence was expected.');
  return node.value;
}

export function oidOf(node: Der | undefined): string {
  if (node?.type !== Type.OID || typeof node.value !== 'string') throw new Error('An object identifier was expected.');
  return forge.asn1.derToOid(node.value);
}

/** Returns the bytes of an octet string, including one that is tagged or split into chunks, as BER allows. */
export function octetsOf(node: Der | undefined): Buffer {
  if (node === undefined || (node.type !== Type.OCTETSTRING && node.tagClass !== Class.CONTEXT_SPECIFIC))
    throw new Error('An octet string was expected.');
  if (typeof node.value === 'string') return Buffer.from(node.value, 'latin1');
  return Buffer.concat(node.value.map(octetsOf));
}

/** Returns an integer of at least 1. Integers above 2^53 lose precision. */
export function positiveIntegerOf(node: Der | undefined): number {
  if (node?.type !== Type.INTEGER || typeof node.value !== 'string') throw new Error('A number was expected.');
  const count = Number.parseInt(Buffer.from(node.value, 'latin1').toString('hex'), 16);
  if (!(count >= 1)) throw new Error('A number of at least one was expected.');
  return count;
}

export function isSequence(node: Der): boolean {
  return node.tagClass === Class.UNIVERSAL && node.type === Type.SEQUENCE;
}

/** Returns the contents of a UTF-8, printable or IA5 string, or undefined for any other node. */
export function asciiOf(node: Der): string | undefined {
  const isString = [Type.UTF8, Type.PRINTABLESTRING, Type.IA5STRING].includes(node.type);
  return isString && node.tagClass === Class.UNIVERSAL && typeof node.value === 'string' ? node.value : undefined;
}
