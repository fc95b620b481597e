import type { Translated } from '../language/language.ts';
import { type TraceTexts, traceTextsEn } from './texts-en.ts';
import { traceTextsZh } from './texts-zh.ts';

export const traceTexts: Translated<TraceTexts> = { en: traceTextsEn, zh: traceTextsZh };
