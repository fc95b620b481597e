/** The languages of explanations and notes. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** A value for each language, so that a missing translation is a compiler error. */
export type Translated<T = string> = Readonly<Record<Language, T>>;
