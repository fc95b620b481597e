import { commonPasswords } from './common-passwords.ts';

/** Maximum number of digits and symbols that do not make a common word or a name hard to guess, such as a year. */
const ADDED_CHARACTERS_MAX = 4;
/** Shorter names are part of too many other words. */
const NAME_CHARACTERS_MIN = 4;
const REPEATED_PATTERN = /^([a-z0-9]{1,4})\1+$/;
/** The alphabet, digits, and keys that are next to each other. */
const rows = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', 'qazwsxedcrfvtgbyhnujm', '1q2w3e4r5t6y7u8i9o0p'],
];
const sequences = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/**
 * Returns whether a password is one of the first that an attacker tries: a common password, also with a few added
 * digits or symbols, a pattern of keys, or one of the given names.
 */
export function isGuessable(password: string, names: readonly string[]): boolean {
  const text = normalize(password);
  return (
    [text, withoutEnds(text)].some(
      (word) => isCommon(word) || REPEATED_PATTERN.test(word) || sequences.some((sequence) => sequence.includes(word)),
    ) || names.some((name) => isSimilar(text, normalize(name)))
  );
}

/** Full-width letters and capital letters count as the same letters. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Returns the text without digits and symbols at both ends, or the text itself if there are too many of them. */
function withoutEnds(text: string): string {
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return word === '' || text.length - word.length > ADDED_CHARACTERS_MAX ? text : word;
}

/** Characters that are used instead of letters. */
const symbols: Readonly<Record<string, string>> = { '@': 'a', $: 's', '!': 'i' };
const digits: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' };

function isCommon(word: string): boolean {
  const withLetters = word.replace(/[@$!]/g, (symbol) => symbols[symbol] as string);
  const onlyLetters = withLetters.replace(/[013457]/g, (digit) => digits[digit] as string);
  return [word, withLetters, onlyLetters].some((each) => commonPasswords.has(each));
}

/** Returns whether the password is a name with a few added characters, or the number or local part of an address. */
function isSimilar(password: string, name: string): boolean {
  const [text, ...parts] = [password, name, name.split('@')[0] as string].map((each) =>
    each.replace(/[^\p{L}\p{N}]/gu, ''),
  ) as [string, string, string];
  return (
    parts.some(
      (part) =>
        part.length >= NAME_CHARACTERS_MIN && text.includes(part) && text.length - part.length <= ADDED_CHARACTERS_MAX,
    ) ||
    (/^\d{8,}$/.test(text) && parts.some((part) => part.endsWith(text)))
  );
}
