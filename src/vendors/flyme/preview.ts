import { missingData, optionalDataOf } from '../translate/optional-data.ts';
import { type Notification, PREVIEW_TOKEN, type VendorPreview } from '../vendor.ts';
import type { FlymeCredentials } from './credentials.ts';
import { flymeForm, flymeMessage } from './payload.ts';

interface MessageJson {
  readonly noticeBarInfo: { readonly noticeMsgType: number; readonly title: string; readonly content: string };
  readonly clickTypeInfo: { readonly parameters: object };
  readonly noticeExpandInfo?: { readonly noticeExpandContent: string };
}

export function flymePreview(notification: Notification, credentials: FlymeCredentials, now: Date): VendorPreview {
  const { message } = notification;
  const messageJson = flymeMessage(notification, credentials, now);
  const { noticeBarInfo, clickTypeInfo, noticeExpandInfo } = JSON.parse(messageJson) as MessageJson;
  return {
    payload: JSON.stringify(flymeForm(credentials, [PREVIEW_TOKEN], messageJson)),
    title: noticeBarInfo.title,
    body: noticeBarInfo.content,
    bigText: noticeExpandInfo?.noticeExpandContent,
    messageClass: noticeBarInfo.noticeMsgType === 1 ? 'private' : 'public',
    omitted: missingData(message, optionalDataOf(message), clickTypeInfo.parameters),
  };
}
