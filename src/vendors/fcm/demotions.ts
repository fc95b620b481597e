import type { Message } from '#src/domain/message.ts';

export function fcmDemotions({ type }: Message): string[] {
  if (type !== 'cmd') return [];
  return [
    'A data-only message (cmd) has priority NORMAL, and a sleeping phone receives it when it wakes up. Send urgent messages as a notification.',
  ];
}
