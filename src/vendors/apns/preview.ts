import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import type { Notification, VendorPreview } from '../vendor.ts';
import { apnsPayload } from './payload.ts';

export function apnsPreview(notification: Notification): VendorPreview {
  const { message } = notification;
  const payload = apnsPayload(notification);
  const { aps, ...data } = JSON.parse(payload) as { aps: { alert?: { title?: string; body?: string } } };
  return {
    payload,
    title: aps.alert?.title,
    body: aps.alert?.body,
    omitted: missingData(message, optionalDataOf(message, { showsBigText: false }), data),
  };
}
