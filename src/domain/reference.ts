import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseReference, type SliceKey, sliceKeyText } from './slice.ts';

/** 96 bits: whoever guesses has one try per request. */
const SIGNATURE_BYTES = 12;

/**
 * What travels with a notification and comes back with its receipt. With a key it cannot be made up: a vendor's callback
 * carries nothing else of ours.
 */
export function referenceOf(slice: SliceKey, key: string | undefined): string {
  const text = sliceKeyText(slice);
  return key === undefined ? text : `${text}.${signatureOf(text, key).toString('base64url')}`;
}

/** The slice that a keyed reference names. Undefined: nobody has made it with this key. */
export function verifyReference(reference: string, key: string): SliceKey | undefined {
  const slice = parseReference(reference);
  if (!slice) return undefined;
  const text = sliceKeyText(slice);
  const signature = Buffer.from(reference.slice(text.length + 1), 'base64url');
  return signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, signatureOf(text, key)) ? slice : undefined;
}

const signatureOf = (text: string, key: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
