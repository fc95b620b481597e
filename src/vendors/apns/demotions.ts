import type { Message } from '#src/domain/message.ts';

/** What Apple is known to let through of pushes that only wake an app; it does not promise any number. */
const COMMANDS_PER_HOUR = '2 or 3';

export function apnsDemotions({ type }: Message): string[] {
  if (type !== 'cmd') return [];
  return [
    `Apple lets about ${COMMANDS_PER_HOUR} commands an hour through to a phone, and others late or never: send what must arrive at once as a notification, with ios.content_available if the app is to wake up.`,
  ];
}
