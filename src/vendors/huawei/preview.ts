import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { HuaweiCredentials } from './credentials.ts';
import { huaweiBody } from './payload.ts';

interface Body {
  readonly message: {
    readonly data: string;
    readonly android: {
      readonly category?: string;
      readonly notification?: { readonly title: string; readonly body: string; readonly big_body?: string };
    };
  };
}

export function huaweiPreview(notification: Notification, credentials: HuaweiCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const payload = huaweiBody(notification, [PREVIEW_TOKEN], credentials, now);
  const { data, android } = (JSON.parse(payload) as Body).message;
  return {
    payload,
    title: android.notification?.title,
    body: android.notification?.body,
    bigText: android.notification?.big_body,
    messageClass: android.category,
    omitted: missingData(message, optionalDataOf(message), JSON.parse(data) as object),
  };
}
