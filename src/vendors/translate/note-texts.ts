import type { Translated } from '#src/domain/language/language.ts';
import { type NoteTexts, noteTextsEn } from './note-texts-en.ts';
import { noteTextsZh } from './note-texts-zh.ts';

export const noteTexts: Translated<NoteTexts> = { en: noteTextsEn, zh: noteTextsZh };
