import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { FcmCredentials } from './credentials.ts';
import { fcmBody } from './payload.ts';

interface Body {
  readonly message: {
    readonly data: object;
    readonly android: { readonly notification?: { readonly title?: string; readonly body?: string } };
  };
}

export function fcmPreview(notification: Notification, _credentials: FcmCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const payload = fcmBody(notification, PREVIEW_TOKEN, now);
  const { data, android } = (JSON.parse(payload) as Body).message;
  return {
    payload,
    title: android.notification?.title,
    body: android.notification?.body,
    omitted: missingData(message, optionalDataOf(message, { showsBigText: false }), data),
  };
}
