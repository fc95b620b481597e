import type { Message } from '#src/domain/message.ts';

/** Number of background pushes that Apple is known to deliver per hour. Apple does not guarantee any number. */
const COMMANDS_PER_HOUR = '2 or 3';

export function apnsDemotions({ type }: Message): string[] {
  if (type !== 'cmd') return [];
  return [
    `Apple delivers about ${COMMANDS_PER_HOUR} data-only messages (cmd) per hour to a phone, and delivers further messages late or never. Send urgent messages as a notification, with ios.content_available if the app must wake up.`,
  ];
}
