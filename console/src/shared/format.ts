import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { relativeTimeIn, unitFor } from './relative-time.ts';
import { serverNow } from './server-clock.ts';
import { useTick } from './tick.ts';

export interface Format {
  readonly number: (value: bigint | number) => string;
  /** Formats a number of percent, such as 33.3. */
  readonly percent: (value: number) => string;
  /** Formats Unix milliseconds as date and time. */
  readonly time: (ms: bigint | number) => string;
  /** Formats Unix milliseconds as date and time with seconds. */
  readonly exactTime: (ms: bigint | number) => string;
  /** Formats a day in UTC, such as `2026-11-18`. */
  readonly day: (day: string) => string;
  /** Formats Unix milliseconds relative to now, such as "5 minutes ago". */
  readonly ago: (ms: bigint | number) => string;
  /** Joins names to a list, such as "APNs, FCM, and vivo". */
  readonly list: (names: readonly string[]) => string;
  readonly duration: (seconds: number) => string;
}

/** Returns functions that format values in the chosen language. Relative times advance while a page is open. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  useTick();
  return useMemo(() => formatIn(language), [language]);
}

function formatIn(language: string): Format {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const exactTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const list = new Intl.ListFormat(language);
  const relative = relativeTimeIn(language);
  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value / 100),
    time: (ms) => time.format(Number(ms)),
    exactTime: (ms) => exactTime.format(Number(ms)),
    day: (text) => day.format(Date.parse(text)),
    ago: (ms) => relative(ms, serverNow()),
    list: (names) => list.format(names),
    duration: (seconds) => {
      const [unit, length] = unitFor(seconds);
      const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
      return new Intl.NumberFormat(language, style).format(seconds / length);
    },
  };
}
