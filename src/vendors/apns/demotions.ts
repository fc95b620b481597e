import type { Message } from '#src/domain/message.ts';

/** Number of background pushes that Apple is known to deliver per hour. Apple does not guarantee any number. */
const COMMANDS_PER_HOUR = '2 or 3';

export function apnsDemotions({ type }: Message): string[] {
  if (type !== 'cmd') return [];
  return [
    `Apple lets about ${COMMANDS_PER_HOUR} commands an hour through to a phone, and others late or never: send what must arrive at once as a notification, with ios.content_available if the app is to wake up.`,
  ];
}
