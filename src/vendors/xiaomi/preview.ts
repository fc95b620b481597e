import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { XiaomiCredentials } from './credentials.ts';
import { xiaomiClass, xiaomiForm } from './payload.ts';

/** A message with a template has the private class. */
export function xiaomiPreview(notification: Notification, credentials: XiaomiCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const form = xiaomiForm(notification, [PREVIEW_TOKEN], credentials, now);
  return {
    payload: JSON.stringify(Object.fromEntries(form)),
    title: form.get('title') ?? undefined,
    body: form.get('description') ?? undefined,
    messageClass: xiaomiClass(message, credentials).templateId === undefined ? 'public' : 'private',
    omitted: missingData(message, optionalDataOf(message), JSON.parse(form.get('payload') ?? '{}') as object),
  };
}
