import type { HttpsClient, Result } from '../kit/test-client.ts';
import { BearerSender, type MessageChange, requestAccessToken } from '../kit/test-sender.ts';
import type { HonorSimulator } from './simulator.ts';

export function openHonorSender(simulator: HonorSimulator): Promise<BearerSender> {
  return BearerSender.open(simulator.caPem, {
    sendUrl: simulator.sendUrl,
    path: `/api/v1/${simulator.app.appId}/sendMessage`,
    requestToken: (client) => requestToken(client, simulator, {}),
    headers: () => ({ timestamp: String(Date.now()) }),
    bodyOf,
  });
}

export function requestToken(
  client: HttpsClient,
  { tokenUrl, app }: HonorSimulator,
  change: Readonly<Record<string, string>>,
  path = '/auth/token',
): Promise<Result> {
  const credentials = { client_id: app.clientId, client_secret: app.clientSecret };
  return requestAccessToken(client, tokenUrl + path, credentials, change);
}

export function bodyOf({ tokens = ['live-1'], message, android, notification }: MessageChange): object {
  return {
    data: '{"mid":"7"}',
    android: {
      ttl: '3600s',
      biTag: 'task-7',
      targetUserType: 0,
      notification: {
        title: 'Sale',
        body: 'Today and tomorrow',
        importance: 'NORMAL',
        clickAction: { type: 3 },
        badge: { addNum: 1, badgeClass: 'com.example.Main' },
        ...notification,
      },
      ...android,
    },
    token: tokens,
    ...message,
  };
}
