import type { HttpsClient, Result } from '../kit/test-client.ts';
import { BearerSender, type MessageChange, requestAccessToken } from '../kit/test-sender.ts';
import type { HuaweiSimulator } from './simulator.ts';

export function openHuaweiSender(simulator: HuaweiSimulator): Promise<BearerSender> {
  return BearerSender.open(simulator.caPem, {
    sendUrl: simulator.sendUrl,
    path: `/v1/${simulator.app.appId}/messages:send`,
    requestToken: (client) => requestToken(client, simulator, {}),
    bodyOf,
  });
}

export function requestToken(
  client: HttpsClient,
  { tokenUrl, app }: HuaweiSimulator,
  change: Readonly<Record<string, string>>,
): Promise<Result> {
  const credentials = { client_id: app.appId, client_secret: app.appSecret };
  return requestAccessToken(client, `${tokenUrl}/oauth2/v3/token`, credentials, change);
}

export function bodyOf({ tokens = ['live-1'], message, android, notification }: MessageChange): object {
  return {
    validate_only: false,
    message: {
      data: '{"mid":"7"}',
      android: {
        ttl: '3600s',
        bi_tag: 'task-7',
        notification: {
          title: 'Sale',
          body: 'Today and tomorrow',
          click_action: { type: 3 },
          badge: { add_num: 1, class: 'com.example.Main' },
          ...notification,
        },
        ...android,
      },
      token: tokens,
      ...message,
    },
  };
}
