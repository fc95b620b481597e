import { domainToASCII } from 'node:url';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import validator from 'validator';

/** What a person may log in with, as it is stored. */
export type LoginName =
  | { readonly kind: 'user_id'; readonly userId: bigint }
  | { readonly kind: 'name' | 'mobile' | 'email'; readonly text: string };

/**
 * A user name has a letter, no `@` and no spaces at its ends, and is never only digits, so it cannot be confused with the
 * other two. The same letters typed in another way are the same name.
 */
export function userNameOf(text: string): string | undefined {
  const name = text.normalize('NFC');
  const isValid = /\p{L}/u.test(name) && !name.includes('@') && !INVISIBLE.test(name) && name.trim() === name;
  return isValid ? name : undefined;
}

/** With these somebody could make a name that looks like another's. Some of them are letters: U+3164 is one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A mobile number as `+` and digits; one without a country code is of this country. Length alone decides: prefixes are
 * new each year. The text is a number and no more: the parser would find one in a sentence too, and drop an extension.
 */
export function mobileOf(text: string, country: string): string | undefined {
  if (!NUMBER_ONLY.test(text)) return undefined;
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

/** Digits of any script and what people and address books put around them, invisible marks of direction included. */
const NUMBER_ONLY = /^[\p{Nd}\p{Pd}\p{Cf}\s+＋()（）.．/]+$/u;

/** An address in lower case: no mail server of today tells cases apart, and people type both. */
export function emailOf(text: string): string | undefined {
  const normalized = text.normalize('NFC');
  if (INVISIBLE.test(normalized) || !validator.isEmail(normalized, { allow_utf8_local_part: true })) return undefined;
  const address = validator.normalizeEmail(normalized, {
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

/** A domain has one spelling in the network's own letters, whichever way people write it. */
function withAsciiDomain(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return domain === '' ? undefined : `${address.slice(0, at)}@${domain}`;
}

/** What somebody typed at a login: an address has an `@`, a number nothing but digits and what people put between them. */
export function loginNameOf(text: string, country: string): LoginName {
  if (text.includes('@')) return { kind: 'email', text: emailOf(text) ?? text };
  if (!/\p{L}/u.test(text)) return { kind: 'mobile', text: mobileOf(text, country) ?? text };
  return { kind: 'name', text: userNameOf(text) ?? text };
}

export const isCountry = (code: string): boolean => isSupportedCountry(code);
