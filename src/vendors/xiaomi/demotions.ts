import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { NoteTexts } from '../translate/note-texts-en.ts';
import type { XiaomiCredentials } from './credentials.ts';
import { xiaomiClass } from './payload.ts';

/** Daily limit for the public class. */
const PUBLIC_DAILY_CAP = { usual: 5, news: 8 };
/** Daily limit for messages without a channel. */
const NO_CHANNEL_MESSAGES_PER_DAY = 1;

export function xiaomiDemotions(message: Message, credentials: XiaomiCredentials, language: Language): string[] {
  const texts = noteTexts[language];
  if (message.type === 'cmd') return [];
  const { channelId, templateId } = xiaomiClass(message, credentials);
  if (channelId === undefined) return [texts.xiaomiNoChannel(NO_CHANNEL_MESSAGES_PER_DAY)];
  if (templateId !== undefined) return templateProblems(texts, message, templateId, credentials);
  if (credentials.privateChannelIds.includes(channelId)) return [texts.xiaomiNoTemplate(channelId)];
  return [texts.xiaomiPublic(PUBLIC_DAILY_CAP)];
}

/** Xiaomi rejects a message that does not set exactly the variables of its template. */
function templateProblems(
  texts: NoteTexts,
  { xiaomi }: Message,
  templateId: string,
  { templateId: defaultTemplateId, templateVariables }: XiaomiCredentials,
): string[] {
  if (templateId !== defaultTemplateId || !templateVariables || xiaomi?.template_param === undefined) return [];
  const names = Object.keys(JSON.parse(xiaomi.template_param) as object);
  const expected = Object.keys(templateVariables);
  if (names.length === expected.length && names.every((name) => expected.includes(name))) return [];
  return [texts.xiaomiOtherVariables(names.join(', '), expected.join(', '))];
}
