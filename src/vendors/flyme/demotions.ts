import type { Message } from '#src/domain/message.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { FlymeCredentials } from './credentials.ts';

/** Daily limit for public messages. */
const PUBLIC_DAILY_CAP = { usual: 3, news: 5 };

export function flymeDemotions(message: Message, credentials: FlymeCredentials): string[] {
  if (message.type === 'cmd' || (message.flyme?.notice_msg_type ?? credentials.noticeMsgType) === 1) return [];
  return [
    `This is a public message. Daily limit: ${dailyCapText(PUBLIC_DAILY_CAP)}. If the message is private, set flyme.notice_msg_type to 1, or notice_msg_type in the credentials.`,
  ];
}
