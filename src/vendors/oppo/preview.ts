import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { OppoCredentials } from './credentials.ts';
import { oppoMessages } from './payload.ts';

interface Entry {
  readonly notification: {
    readonly title: string;
    readonly content: string;
    readonly category?: string;
    readonly action_parameters: string;
  };
}

export function oppoPreview(notification: Notification, credentials: OppoCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const messages = oppoMessages(notification, [PREVIEW_TOKEN], credentials, now);
  const [entry] = JSON.parse(messages) as [Entry];
  const { title, content, category, action_parameters } = entry.notification;
  return {
    payload: JSON.stringify({ messages }),
    title,
    body: content,
    messageClass: category,
    omitted: missingData(message, optionalDataOf(message), JSON.parse(action_parameters) as object),
  };
}
