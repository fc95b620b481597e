import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { HarmonyCredentials } from './credentials.ts';
import { harmonyBody } from './payload.ts';

interface Body {
  readonly payload: {
    readonly extraData?: string;
    readonly notification?: {
      readonly title: string;
      readonly body: string;
      readonly category: string;
      readonly clickAction: { readonly data: object };
    };
  };
}

export function harmonyPreview(notification: Notification, credentials: HarmonyCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const payload = harmonyBody(notification, [PREVIEW_TOKEN], credentials, now);
  const { extraData = '{}', notification: shown } = (JSON.parse(payload) as Body).payload;
  const data = shown?.clickAction.data ?? (JSON.parse(extraData) as object);
  return {
    payload,
    title: shown?.title,
    body: shown?.body,
    messageClass: shown?.category,
    omitted: missingData(message, optionalDataOf(message, { showsBigText: false }), data),
  };
}
