import type { Static } from 'typebox';
import type { channelPreview } from '#src/contract/push/preview.ts';
import type { pushValidate } from '#src/contract/push/validate.ts';
import { BUCKETS } from '#src/domain/bucket.ts';
import { badgeVendors } from '#src/domain/channel.ts';
import type { Language } from '#src/domain/language/language.ts';
import { applyBadge, type Message, nativePayload, vendorMessage } from '#src/domain/message.ts';
import { referenceOf } from '#src/domain/reference.ts';
import type { SliceKey } from '#src/domain/slice.ts';
import { firstTaskIdAt, LIFETIME_SECONDS } from '#src/domain/task.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { type Callback, callbackUrl } from '#src/storage/accounts/callbacks.ts';
import { type Certificate, certificateContext } from '#src/storage/accounts/certificates.ts';
import type { UsageSum } from '#src/storage/accounts/quota-usage.ts';
import type { ExhaustedQuota } from '#src/storage/accounts/quotas.ts';
import { type MessagePreview, previewMessage } from '#src/vendors/previews.ts';
import { noteTexts } from '#src/vendors/translate/note-texts.ts';
import type { Notification } from '#src/vendors/vendor.ts';
import type { ApiContext } from '../context.ts';
import { type QuotaUse, quotaUseOf } from '../records/quota-use.ts';
import type { CheckedMessage } from './message-rules.ts';

type ChannelPreview = Static<typeof channelPreview>;
type Demotion = Static<typeof pushValidate.data>['demotions'][number];

/** A checked message, and the data of its app that affects how it is sent. */
export interface PreviewedMessage extends CheckedMessage {
  readonly appName: string;
  readonly callbacks: readonly Callback[];
  readonly spentQuotas: readonly ExhaustedQuota[];
  /** Undefined if it could not be read, or if the caller is not an admin of the app. */
  readonly quotaUsage: readonly UsageSum[] | undefined;
  /** The language of the notes. */
  readonly language: Language;
}

const EMPTY_PREVIEW = {
  title: null,
  body: null,
  big_text: null,
  message_class: null,
  quota_class: null,
  quota_spent_until: null,
  quota_used: null,
  quota_left: null,
  dropped: [],
  notes: [],
  payload: null,
} satisfies Partial<ChannelPreview>;

/** Describes a message on the Carillon channel. Nothing is truncated, and the app displays the texts. */
export function previewNative({ clock }: ApiContext, checked: CheckedMessage, devices: bigint): ChannelPreview {
  const { title, body, big_text }: Partial<Message> = checked.message.type === 'cmd' ? {} : checked.message;
  return {
    ...EMPTY_PREVIEW,
    channel: 'nativepush',
    environment: null,
    devices,
    title: title ?? null,
    body: body ?? null,
    big_text: big_text ?? null,
    payload: nativePayload(exampleSlice(clock.now()), checked.messageText),
  };
}

/** Describes a message at a vendor, with the settings in these credentials. Returns the demotions separately too. */
export function previewVendor(
  context: ApiContext,
  row: Certificate,
  message: PreviewedMessage,
  devices: bigint,
): { readonly record: ChannelPreview; readonly demotions: Demotion[] } {
  const { channel, environment } = row;
  const preview = previewWithCertificate(context, row, message);
  if (!preview) {
    const text = noteTexts[message.language].unreadable;
    return {
      record: { ...EMPTY_PREVIEW, channel, environment, devices, notes: [text] },
      demotions: [{ channel, environment, text }],
    };
  }
  const spentQuota = message.spentQuotas.find(
    (quota) => quota.channel === channel && quota.environment === environment && quota.class === preview.quotaClass,
  );
  const quotaUse =
    message.quotaUsage &&
    quotaUseOf(row, message.quotaUsage, context.clock.now()).find((use) => use.class === preview.quotaClass);
  const record = {
    channel,
    environment,
    devices,
    title: preview.title ?? null,
    body: preview.body ?? null,
    big_text: preview.bigText ?? null,
    message_class: preview.messageClass ?? null,
    quota_class: preview.quotaClass || null,
    quota_spent_until: spentQuota ? BigInt(spentQuota.exhaustedUntil.getTime()) : null,
    quota_used: quotaUse?.accepted ?? null,
    quota_left: spentQuota ? 0n : quotaLeft(quotaUse),
    dropped: [...preview.dropped],
    notes: [...preview.notes],
    payload: preview.payload,
  };
  return { record, demotions: preview.demotions.map((text) => ({ channel, environment, text })) };
}

function quotaLeft(use: QuotaUse | undefined): bigint | null {
  if (use?.limit === undefined) return null;
  const left = BigInt(use.limit) - use.accepted;
  return left > 0n ? left : 0n;
}

/** Returns undefined if the credentials cannot be decrypted or parsed. The app secret is not needed and stays sealed. */
function previewWithCertificate(
  { keyrings, settings, clock }: ApiContext,
  row: Certificate,
  message: PreviewedMessage,
): MessagePreview | undefined {
  const now = clock.now();
  const notification = exampleNotification(row, message, settings.CARILLON_PUBLIC_URL, now);
  try {
    const certificate = open(keyrings.credentials, certificateContext(row, 'certificate'), row.certificate);
    const account = { ...row, appSecret: '', certificate };
    return previewMessage(row.channel, notification, account, message.dueAt ?? now, message.language);
  } catch {
    return undefined;
  }
}

/** Returns a slice whose key is as long as that of most slices, because a longer key leaves less room for the text. */
const exampleSlice = (now: Date): SliceKey => ({
  taskId: firstTaskIdAt(now) + BigInt(BUCKETS - 1),
  bucket: BUCKETS - 1,
  sliceNumber: 0,
});

/** The secret in the URL of a callback, with the length of a real one. */
const SECRET = `${'<secret'.padEnd(42, '_')}>`;

/** Returns the notification for a device whose badge is 0. */
function exampleNotification(
  { channel }: Certificate,
  { message, dueAt, notAfter, appName, callbacks }: PreviewedMessage,
  publicUrl: string,
  now: Date,
): Notification {
  const slice = exampleSlice(now);
  const hasCallback = callbacks.some((callback) => callback.channel === channel);
  const hasBadge = badgeVendors.includes(channel) && message.type !== 'cmd';
  return {
    taskId: slice.taskId,
    deviceId: 0n,
    // The signature is not valid, because it is not made with the key of the app.
    reference: referenceOf(slice, hasCallback ? 'example' : undefined),
    callbackUrl: hasCallback ? callbackUrl(publicUrl, channel, { path: SECRET }) : undefined,
    message: vendorMessage(message, appName),
    badge: hasBadge ? applyBadge(0, message.badge) : undefined,
    notAfter: notAfter ?? new Date((dueAt ?? now).getTime() + LIFETIME_SECONDS * 1_000),
  };
}
