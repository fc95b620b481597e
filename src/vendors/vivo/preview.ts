import { stringifyJson } from '#src/foundation/json.ts';
import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { VivoCredentials } from './credentials.ts';
import { vivoClass, vivoSinglePayload } from './payload.ts';

interface Payload {
  readonly title: string;
  readonly content: string;
  readonly clientCustomMap: object;
}

export function vivoPreview(notification: Notification, credentials: VivoCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const payload = vivoSinglePayload(notification, PREVIEW_TOKEN, credentials, now);
  const { title, content, clientCustomMap } = payload as Payload;
  return {
    payload: stringifyJson(payload),
    title,
    body: content,
    messageClass: vivoClass(message, credentials).category,
    omitted: missingData(message, optionalDataOf(message, { showsBigText: false }), clientCustomMap),
  };
}
