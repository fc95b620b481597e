import type { Message } from '#src/domain/message.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { FlymeCredentials } from './credentials.ts';

/** Daily limit for public messages. */
const PUBLIC_DAILY_CAP = { usual: 3, news: 5 };

export function flymeDemotions(message: Message, credentials: FlymeCredentials): string[] {
  if (message.type === 'cmd' || (message.flyme?.notice_msg_type ?? credentials.noticeMsgType) === 1) return [];
  return [
    `It is a public message, of which ${dailyCapText(PUBLIC_DAILY_CAP)}: say 1 in flyme.notice_msg_type, or in the certificate, if it is a private one.`,
  ];
}
