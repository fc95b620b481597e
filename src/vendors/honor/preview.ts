import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { HonorCredentials } from './credentials.ts';
import { honorBody } from './payload.ts';

interface Body {
  readonly data: string;
  readonly android: {
    readonly notification?: { readonly title: string; readonly body: string; readonly importance: string };
  };
}

/** The class of a message is its importance. */
export function honorPreview(notification: Notification, credentials: HonorCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const payload = honorBody(notification, [PREVIEW_TOKEN], credentials, now);
  const { data, android } = JSON.parse(payload) as Body;
  return {
    payload,
    title: android.notification?.title,
    body: android.notification?.body,
    messageClass: android.notification?.importance,
    omitted: missingData(message, optionalDataOf(message), JSON.parse(data) as object),
  };
}
