import { domainToASCII } from 'node:url';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
// Only these files, because the whole package takes 45 ms of the start of each process.
import isEmail from 'validator/lib/isEmail.js';
import normalizeEmail from 'validator/lib/normalizeEmail.js';

/** A name that a user can log in with, as stored. */
export type LoginName =
  | { readonly kind: 'user_id'; readonly userId: bigint }
  | { readonly kind: 'name' | 'mobile' | 'email'; readonly text: string };

/**
 * Returns a user name in its stored form, or undefined if it is not valid. A user name has a letter, no `@`, and no
 * leading or trailing spaces, so it cannot be confused with a mobile number or an email address. Different Unicode
 * forms of the same letters are the same name.
 */
export function userNameOf(text: string): string | undefined {
  const name = text.normalize('NFC');
  const isValid = /\p{L}/u.test(name) && !name.includes('@') && !INVISIBLE.test(name) && name.trim() === name;
  return isValid ? name : undefined;
}

/** Invisible characters, which would make different names look the same. Some of them are letters, such as U+3164. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Returns a mobile number as `+` and digits, or undefined if it is not valid. A number without a country code belongs
 * to `country`. Only the length is checked, because new prefixes are assigned each year. The text must contain only a
 * number, because the parser would also find a number in a sentence and would drop an extension.
 */
export function mobileOf(text: string, country: string): string | undefined {
  if (!NUMBER_ONLY.test(text)) return undefined;
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

/** Digits of any script, the separators that users and address books put around them, and invisible direction marks. */
const NUMBER_ONLY = /^[\p{Nd}\p{Pd}\p{Cf}\s+＋()（）.．/]+$/u;

/**
 * Returns an email address in lower case, or undefined if it is not valid. Mail servers ignore case in practice, and
 * users type addresses in either case.
 */
export function emailOf(text: string): string | undefined {
  const normalized = text.normalize('NFC');
  if (INVISIBLE.test(normalized) || !isEmail.default(normalized, { allow_utf8_local_part: true })) return undefined;
  const address = normalizeEmail.default(normalized, {
    all_lowercase: true,
    gmail_remove_dots: false,
    gmail_remove_subaddress: false,
    gmail_convert_googlemaildotcom: false,
    outlookdotcom_remove_subaddress: false,
    yahoo_remove_subaddress: false,
    yandex_convert_yandexru: false,
    icloud_remove_subaddress: false,
  });
  return address === false ? undefined : withAsciiDomain(address.normalize('NFC'));
}

/** Converts the domain to its ASCII form, because users may type an internationalized domain in either form. */
function withAsciiDomain(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return domain === '' ? undefined : `${address.slice(0, at)}@${domain}`;
}

/** Returns the kind of login name that a user typed. An email address has an `@`. A mobile number has no letters. */
export function loginNameOf(text: string, country: string): LoginName {
  if (text.includes('@')) return { kind: 'email', text: emailOf(text) ?? text };
  if (!/\p{L}/u.test(text)) return { kind: 'mobile', text: mobileOf(text, country) ?? text };
  return { kind: 'name', text: userNameOf(text) ?? text };
}

export const isCountry = (code: string): boolean => isSupportedCountry(code);
