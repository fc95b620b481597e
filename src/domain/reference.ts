import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseReference, type SliceKey, sliceKeyText } from './slice.ts';

/** 96 bits are enough, because guessing needs one request per attempt. */
const SIGNATURE_BYTES = 12;

/**
 * Returns the reference that is sent with a notification and returned with its receipt. A reference that is signed with
 * a key cannot be forged. This matters because a vendor callback contains no other data from Carillon.
 */
export function referenceOf(slice: SliceKey, key: string | undefined): string {
  const text = sliceKeyText(slice);
  return key === undefined ? text : `${text}.${signatureOf(text, key).toString('base64url')}`;
}

/** Returns the slice of a reference, or undefined if the reference was not signed with this key. */
export function verifyReference(reference: string, key: string): SliceKey | undefined {
  const slice = parseReference(reference);
  if (!slice) return undefined;
  const text = sliceKeyText(slice);
  const signature = Buffer.from(reference.slice(text.length + 1), 'base64url');
  return signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, signatureOf(text, key)) ? slice : undefined;
}

const signatureOf = (text: string, key: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
