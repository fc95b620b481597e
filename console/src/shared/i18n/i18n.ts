import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from './en.ts';

export const languages = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof languages;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

const STORAGE_KEY = 'carillon-language';

/** The texts of the first page are a part of all texts. */
const loaders = {
  en: {
    start: () => import('./start-en.ts').then(({ startEn }) => startEn),
    all: () => import('./en.ts').then(({ en }) => en),
  },
  zh: {
    start: () => import('./start-zh.ts').then(({ startZh }) => startZh),
    all: () => import('./zh.ts').then(({ zh }) => zh),
  },
} as const;

/** Starts with the stored language, or else the language of the browser. */
export async function startI18n(): Promise<void> {
  const stored = localStorage.getItem(STORAGE_KEY);
  const wanted = stored ?? navigator.language;
  await i18next.use(initReactI18next).init({ interpolation: { escapeValue: false }, fallbackLng: false });
  await show(wanted.startsWith('zh') ? 'zh' : 'en', 'start');
}

/** Loads the texts of a language and shows them. */
export const changeLanguage = (language: Language): Promise<void> => show(language, 'all');

/** Loads the texts of all pages. */
export const loadAllTexts = (): Promise<void> => load(i18next.language as Language, 'all');

async function show(language: Language, part: 'start' | 'all'): Promise<void> {
  await load(language, part);
  await i18next.changeLanguage(language);
  localStorage.setItem(STORAGE_KEY, language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

async function load(language: Language, part: 'start' | 'all'): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await loaders[language][part]());
}
