import type { Message } from '#src/domain/message.ts';
import type { WebPushCredentials } from './credentials.ts';

export function webPushDemotions({ webpush }: Message, { navigate }: WebPushCredentials): string[] {
  return [
    ...(webpush?.navigate === undefined && navigate === ''
      ? [
          'Safari displays the notification only if the service worker of the page runs, because the message names no page to open. Set webpush.navigate, or navigate in the credentials.',
        ]
      : []),
    ...(webpush?.urgency === 'low' || webpush?.urgency === 'very-low'
      ? [
          `A device with a low battery receives a notification of urgency ${webpush.urgency} later. Send urgent notifications without webpush.urgency.`,
        ]
      : []),
  ];
}
