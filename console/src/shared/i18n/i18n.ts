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

const loaders = {
  en: () => import('./en.ts').then(({ en }) => en),
  zh: () => import('./zh.ts').then(({ zh }) => zh),
};

/** Starts with the stored language, or else the language of the browser. */
export async function startI18n(): Promise<void> {
  const stored = localStorage.getItem(STORAGE_KEY);
  const wanted = stored ?? navigator.language;
  await i18next.use(initReactI18next).init({ interpolation: { escapeValue: false }, fallbackLng: false });
  await changeLanguage(wanted.startsWith('zh') ? 'zh' : 'en');
}

/** Loads the texts of a language and shows them. */
export async function changeLanguage(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await loaders[language]());
  await i18next.changeLanguage(language);
  localStorage.setItem(STORAGE_KEY, language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}
