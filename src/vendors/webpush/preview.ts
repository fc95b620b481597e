import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import type { Notification, VendorPreview } from '../vendor.ts';
import type { WebPushCredentials } from './credentials.ts';
import { webPushPayload } from './payload.ts';

interface Payload {
  readonly notification: { readonly title: string; readonly body?: string; readonly data: object };
}

export function webPushPreview(notification: Notification, { navigate }: WebPushCredentials): VendorPreview {
  const { message } = notification;
  const payload = webPushPayload(notification, navigate);
  const { title, body, data } = (JSON.parse(payload) as Payload).notification;
  return {
    payload,
    title,
    body,
    omitted: missingData(message, optionalDataOf(message, { showsBigText: false }), data),
  };
}
