import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { WebPushCredentials } from './credentials.ts';

export function webPushDemotions({ webpush }: Message, { navigate }: WebPushCredentials, language: Language): string[] {
  const texts = noteTexts[language];
  const { urgency } = webpush ?? {};
  return [
    ...(webpush?.navigate === undefined && navigate === '' ? [texts.webPushNoPage] : []),
    ...(urgency === 'low' || urgency === 'very-low' ? [texts.webPushLowUrgency(urgency)] : []),
  ];
}
