import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { FlymeCredentials } from './credentials.ts';

/** Daily limit for public messages. */
const PUBLIC_DAILY_CAP = { usual: 3, news: 5 };

export function flymeDemotions(message: Message, credentials: FlymeCredentials, language: Language): string[] {
  if (message.type === 'cmd' || (message.flyme?.notice_msg_type ?? credentials.noticeMsgType) === 1) return [];
  return [noteTexts[language].flymePublic(PUBLIC_DAILY_CAP)];
}
