import type { Language } from '#src/domain/language/language.ts';

/**
 * Returns the language of the header `accept-language` (RFC 9110, section 12.5.4): Chinese if the reader prefers it to
 * English, and English otherwise.
 */
export function requestLanguage(header: string | undefined): Language {
  if (header === undefined) return 'en';
  const ranges = header.split(',').flatMap(parseRange);
  const [chinese, english] = [findRange(ranges, 'zh'), findRange(ranges, 'en')];
  if (!chinese || chinese.quality === 0) return 'en';
  const rest = ranges.find(({ language }) => language === '*');
  const englishQuality = english?.quality ?? rest?.quality ?? 0;
  if (chinese.quality !== englishQuality) return chinese.quality > englishQuality ? 'zh' : 'en';
  // Browsers list languages in the order of preference.
  return !english || ranges.indexOf(chinese) < ranges.indexOf(english) ? 'zh' : 'en';
}

interface LanguageRange {
  /** The language without its region and script, in lower case, or `*`. */
  readonly language: string;
  readonly quality: number;
}

const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Parses one element of the header. A malformed element is ignored. */
function parseRange(element: string): LanguageRange[] {
  const [tag = '', weight, ...rest] = element.split(';').map((part) => part.trim());
  const quality = weight === undefined ? '1' : QUALITY.exec(weight)?.[1];
  if (!/^(\*|[a-z]{1,8}(-[a-z\d]{1,8})*)$/i.test(tag) || quality === undefined || rest.length > 0) return [];
  return [{ language: tag.split('-')[0]?.toLowerCase() as string, quality: Number(quality) }];
}

/** Returns the range of a language that is preferred most, such as `zh-CN` rather than `zh;q=0.9`. */
const findRange = (ranges: readonly LanguageRange[], language: string): LanguageRange | undefined =>
  ranges
    .filter((range) => range.language === language)
    .reduce<LanguageRange | undefined>(
      (best, range) => (best && best.quality >= range.quality ? best : range),
      undefined,
    );
