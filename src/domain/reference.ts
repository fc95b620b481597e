import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseReference, type SliceKey, sliceKeyText } from './slice.ts';

/** 96 bits: whoever guesses has one try per request. */
const SEAL_BYTES = 12;

/**
 * What travels with a notification and comes back with its receipt. With a key it cannot be made up: a vendor's callback
 * carries nothing else of ours.
 */
export function referenceOf(slice: SliceKey, key: string | undefined): string {
  const text = sliceKeyText(slice);
  return key === undefined ? text : `${text}.${sealOf(text, key).toString('base64url')}`;
}

/** The slice that a keyed reference names. Undefined: nobody has made it with this key. */
export function openReference(reference: string, key: string): SliceKey | undefined {
  const slice = parseReference(reference);
  if (!slice) return undefined;
  const text = sliceKeyText(slice);
  const seal = Buffer.from(reference.slice(text.length + 1), 'base64url');
  return seal.length === SEAL_BYTES && timingSafeEqual(seal, sealOf(text, key)) ? slice : undefined;
}

const sealOf = (text: string, key: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SEAL_BYTES);
