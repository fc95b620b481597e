import { androidVendors, type VendorName } from '#src/domain/channel.ts';
import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { vendorRegistry } from './registry.ts';
import type { FieldMapping, MessageField } from './translate/message-fields.ts';
import { noteTexts } from './translate/note-texts.ts';
import type { Notification, VendorAccount, VendorPreview } from './vendor.ts';

/** How one vendor would receive and treat a message. */
export interface MessagePreview extends VendorPreview {
  /** The class whose daily quota applies, or an empty string if one quota covers all messages. */
  readonly quotaClass: string;
  /** Paths of message fields that are not sent, such as `android.sound`. */
  readonly dropped: readonly string[];
  /** Sentences about restrictions by the vendor. */
  readonly demotions: readonly string[];
  /** The demotions, and sentences about content that is cut, left out or rejected. */
  readonly notes: readonly string[];
}

/**
 * Returns how a vendor would receive and treat a message, given the settings in the account. `now` is the time of
 * sending, and `language` the language of the notes.
 */
export function previewMessage(
  name: VendorName,
  notification: Notification,
  account: VendorAccount,
  now: Date,
  language: Language,
): MessagePreview {
  const vendor = vendorRegistry[name];
  const credentials = vendor.toCredentials(account, undefined);
  const { message } = notification;
  const preview = vendor.preview(notification, credentials, now);
  const demotions = vendor.demotions(message, credentials, language);
  const tooSoon = endsTooSoon(name, notification, now) ? [noteTexts[language].endsTooSoon] : [];
  return {
    ...preview,
    quotaClass: vendor.quotaClass?.(message, credentials) ?? '',
    dropped: [...droppedFields(name, message), ...preview.omitted],
    demotions,
    notes: [...tooSoon, ...vendor.cuts(message, language), ...demotions],
  };
}

/**
 * Returns whether the vendor could show the notification after its `show_end_time`, because it accepts only longer
 * lifetimes.
 */
export function endsTooSoon(
  name: VendorName,
  { message, notAfter }: Pick<Notification, 'message' | 'notAfter'>,
  now: Date,
): boolean {
  const { ttlSecondsMin = 0 } = vendorRegistry[name].limits;
  if (ttlSecondsMin === 0 || message.show_end_time === undefined) return false;
  return notAfter.getTime() - now.getTime() < ttlSecondsMin * 1_000;
}

/** Returns the paths of the fields that a vendor does not use, in `android` and in the vendor's own object. */
function droppedFields(name: VendorName, message: Message): string[] {
  const { fields } = vendorRegistry[name];
  const isAndroid = androidVendors.some((vendor) => vendor === name);
  const pathsIn = (object: 'android' | VendorName, isDropped: (mapping: FieldMapping, value: unknown) => boolean) =>
    Object.entries(object === 'apns' ? {} : (message[object] ?? {}))
      .filter(([field, value]) => isDropped(fields[field as MessageField], value))
      .map(([field]) => `${object}.${field}`);
  return [
    ...(isAndroid
      ? pathsIn('android', (mapping, value) => isUnused(mapping, value) || 'isVendorObjectOnly' in mapping)
      : []),
    ...pathsIn(name, isUnused),
  ];
}

const isUnused = (mapping: FieldMapping, value: unknown): boolean =>
  'dropped' in mapping && (mapping.exceptValue === undefined || mapping.exceptValue !== value);
