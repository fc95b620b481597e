import type { Message } from '#src/domain/message.ts';

export function fcmDemotions({ type }: Message): string[] {
  if (type !== 'cmd') return [];
  return [
    'A command has the priority NORMAL, and a phone that sleeps gets it when it wakes up: send what must arrive at once as a notification.',
  ];
}
