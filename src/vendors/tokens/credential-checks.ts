import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import { parseJson } from '#src/foundation/json.ts';

/** Vendors issue ASCII values without spaces. Any other character was copied by mistake. */
const WORD = /^[\x21-\x7e]+$/;
const DIGITS = /^\d+$/;
/** Signing libraries reject smaller keys. With a larger key, one signature would block the process for too long. */
const RSA_BITS_MIN = 2_048;
const RSA_BITS_MAX = 8_192;

/** Returns the trimmed value, or throws if it is not one ASCII word. `meaning` is the vendor's name for the field. */
export function requireWord(value: string, field: string, meaning: string): string {
  const word = value.trim();
  if (word === '') throw new Problem('bad-parameter', `${field} is required: ${meaning}.`);
  if (!WORD.test(word))
    throw new Problem('bad-parameter', `${field} must be one word without spaces or non-ASCII characters: ${meaning}.`);
  return word;
}

export function optionalWord(value: string, field: string, meaning: string): string {
  return isBlank(value) ? '' : requireWord(value, field, meaning);
}

export function requireDigits(value: string, field: string, meaning: string): string {
  const word = requireWord(value, field, meaning);
  if (!DIGITS.test(word)) throw new Problem('bad-parameter', `${field} must consist of digits: ${meaning}.`);
  return word;
}

/** Rule for a value in the optional JSON. */
export interface OptionRule {
  readonly accepts: (value: unknown) => boolean;
  readonly description: string;
}

export const stringOption: OptionRule = { accepts: isString, description: 'a string in quotes' };
export const stringListOption: OptionRule = {
  accepts: (value) => Array.isArray(value) && value.every(isString),
  description: 'a list of strings',
};
export const booleanOption: OptionRule = {
  accepts: (value) => typeof value === 'boolean',
  description: 'true or false',
};
export const oneOfOption = (...values: readonly (number | string)[]): OptionRule => ({
  accepts: (value) => values.some((each) => each === value),
  description: values.join(' or '),
});

/**
 * Checks the vendor's settings and returns the JSON unchanged, or an empty string if it is blank. Unknown keys are
 * allowed.
 */
export function checkOptions(certificate: string, options: Readonly<Record<string, OptionRule>>): string {
  const values = readOptions(certificate);
  for (const [name, { accepts, description }] of Object.entries(options)) {
    const value = values[name] ?? undefined;
    if (value !== undefined && !accepts(value))
      throw new Problem('bad-parameter', `${name} in the JSON of certificate must be ${description}.`);
  }
  return isBlank(certificate) ? '' : certificate;
}

export function readOptions(certificate: string): Readonly<Record<string, unknown>> {
  const hint = 'certificate must be empty or a JSON object';
  return isBlank(certificate) ? {} : parseObject(certificate, `${hint} with settings of this vendor.`);
}

export function parseObject(certificate: string, hint: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(certificate);
  } catch {
    throw new Problem('bad-parameter', `${hint} The value is not JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Problem('bad-parameter', hint);
  return value as Record<string, unknown>;
}

/** Returns the value if it is a string, otherwise an empty string. */
export const stringOrEmpty = (value: unknown): string => (isString(value) ? value : '');

/** Checks the `private_key` of a service account. */
export function requireRsaKey(pem: unknown, hint: string): void {
  const key = readPrivateKey(stringOrEmpty(pem));
  if (!key || !isUsableRsaKey(key)) throw new Problem('bad-parameter', hint);
}

/**
 * Returns undefined if the key cannot be read or is encrypted. Encrypted keys are rejected before any key derivation.
 */
export function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

export function isUsableRsaKey(key: KeyObject): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
