import type { VendorName } from '#src/domain/channel.ts';
import type { Language } from '#src/domain/language/language.ts';
import { vendorRegistry } from './registry.ts';

/** Translates the advice that `withAdvice` has added to a reason. The words of the vendor stay as they are. */
export function translateAdvice(name: VendorName, reason: string, language: Language): string {
  if (language === 'en') return reason;
  const advice = Object.values(vendorRegistry[name].advice).find(({ en }) => reason.endsWith(`: ${en}`));
  return advice ? `${reason.slice(0, -`: ${advice.en}`.length)}：${advice[language]}` : reason;
}
