import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, displayTexts, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { describeOmittedData, type OptionalData, omittedData, optionalDataOf } from '../translate/optional-data.ts';
import { byteLengthOf, characterCountOf, cutToLength } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { TemplateVariables, XiaomiCredentials } from './credentials.ts';

/** Xiaomi accepts at most 4 KB per message. */
export const PAYLOAD_BYTES_MAX = 4_096;

const TITLE_CHARACTERS_MAX = 49;
const TEXT_CHARACTERS_MAX = 127;
const TEMPLATE_VALUE_CHARACTERS_MAX = 128;
/** Maximum lifetimes for the public class and for the private class, which uses templates. */
const TTL_SECONDS_MAX = 24 * 3_600;
const TTL_SECONDS_MAX_PRIVATE = 10 * 24 * 3_600;
const CALLBACK_BYTES_MAX = 128;
/**
 * Sum of delivered (1), clicked (2), dead token (16), daily limit reached (128) and expired (1024). Xiaomi sends no
 * receipts at all for a sum that it does not support.
 */
const CALLBACK_TYPES = '1171';

type PayloadOptions = Pick<XiaomiCredentials, 'packageNames' | 'channelId' | 'templateId' | 'templateVariables'>;

/** Returns the form of one request for all tokens. */
export function xiaomiForm(
  notification: Notification,
  tokens: readonly string[],
  options: PayloadOptions,
  now: Date,
): URLSearchParams {
  return formOf({
    registration_id: tokens.join(','),
    restricted_package_name: packageNameList(options),
    ...messageOf(notification, options, now),
  });
}

/** Returns the form that recalls the notification of a task. Xiaomi finds the notification by its number. */
export function xiaomiRecallForm(taskId: bigint, tokens: readonly string[], options: PayloadOptions): URLSearchParams {
  return formOf({
    registration_ids: tokens.join(','),
    restricted_package_name: packageNameList(options),
    notify_id: String(notifyIdOf(taskId)),
  });
}

/** Returns a form that checks the credentials. `token` must not belong to any device, so that nothing is delivered. */
export function xiaomiCheckForm(options: PayloadOptions, token: string): URLSearchParams {
  return formOf({
    registration_id: token,
    restricted_package_name: packageNameList(options),
    title: '-',
    description: '-',
    'extra.notify_effect': '1',
  });
}

/**
 * Returns one sentence for each part of a message that is cut, or the reason why Xiaomi rejects it. The result does not
 * depend on the task.
 */
export function xiaomiCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  if (message.type === 'cmd') return [texts.noDataOnly('xiaomi')];
  const longest = { ...longestNotification(message), callbackUrl: 'x'.repeat(CALLBACK_BYTES_MAX) };
  const options = {
    packageNames: ['x'.repeat(64)],
    channelId: 'x'.repeat(64),
    templateId: undefined,
    templateVariables: undefined,
  };
  const messageFields = messageOf(longest, options, new Date(0));
  const { title = '', description = '' } = messageFields;
  if (description.trim() === '' || title.trim() === '') return [texts.bodyRequired('xiaomi')];
  if (byteLengthOfFields(messageFields) > PAYLOAD_BYTES_MAX) return [texts.tooLarge('xiaomi', PAYLOAD_BYTES_MAX)];
  const data = JSON.parse(messageFields.payload as string) as object;
  return [
    ...(title === displayTexts(message).title ? [] : [texts.titleCut(TITLE_CHARACTERS_MAX)]),
    ...describeTextCut(fullText(message), description, texts.charactersLimit('xiaomi', TEXT_CHARACTERS_MAX), language),
    ...(message.type === 'image' ? [texts.noImages('xiaomi')] : []),
    ...describeOmittedData(
      message,
      optionalDataOf(message),
      data,
      texts.bytesLimit('xiaomi', PAYLOAD_BYTES_MAX),
      language,
    ),
  ];
}

/**
 * Returns undefined if there are no packages: credentials that were saved before packages were required may have none.
 */
const packageNameList = ({ packageNames }: PayloadOptions): string | undefined => packageNames.join(',') || undefined;

type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the fields that are the same for all tokens, with as much data for the app as Xiaomi accepts. */
function messageOf(notification: Notification, options: PayloadOptions, now: Date): Fields {
  const texts = textsOf(notification.message);
  const otherFields = otherFieldsOf(notification, options, now);
  const build = (omitted: readonly OptionalData[]) => ({
    ...texts,
    payload: stringifyJson(androidData(notification, omitted)),
    ...otherFields,
  });
  return build(
    omittedData(
      notification.message,
      optionalDataOf(notification.message),
      (omitted) => byteLengthOfFields(build(omitted)) <= PAYLOAD_BYTES_MAX,
    ),
  );
}

const byteLengthOfFields = (fields: Fields): number =>
  Object.values(fields).reduce((sum, value) => sum + byteLengthOf(value ?? ''), 0);

/** Returns the fields except the displayed texts and the data for the app. */
function otherFieldsOf(notification: Notification, options: PayloadOptions, now: Date): Fields {
  const { message, taskId, notAfter } = notification;
  const { channelId, templateId } = xiaomiClass(message, options);
  const ttlSecondsMax = templateId === undefined ? TTL_SECONDS_MAX : TTL_SECONDS_MAX_PRIVATE;
  return {
    time_to_live: String(ttlSeconds(notAfter, now, ttlSecondsMax) * 1_000),
    notify_id: String(notifyIdOf(taskId)),
    ...clickOf(androidOptions(message, 'xiaomi').intent),
    'extra.channel_id': channelId,
    ...templateOf(message, templateId, templateId === options.templateId ? options.templateVariables : undefined),
    'extra.sound_uri': soundOf(androidOptions(message, 'xiaomi').sound, options.packageNames[0]),
    ...(message.big_text !== undefined && { 'extra.notification_style_type': '1' }),
    // A device shows one message per key, so a duplicate is not shown again.
    'extra.jobkey': taskId.toString(),
    ...callbackOf(notification),
  };
}

/**
 * Returns the channel and the template of a message. A Xiaomi channel is a number from Xiaomi's console, so
 * `channel_id` in `android` does not apply. The template in the credentials applies only to the channel in the
 * credentials, because Xiaomi rejects a template in a channel of the other class.
 */
export function xiaomiClass(
  { xiaomi }: Message,
  options: Pick<PayloadOptions, 'channelId' | 'templateId'>,
): { readonly channelId: string | undefined; readonly templateId: string | undefined } {
  const channelId = xiaomi?.channel_id ?? options.channelId;
  const defaultTemplateId = channelId === options.channelId ? options.templateId : undefined;
  return { channelId, templateId: xiaomi?.template_id ?? defaultTemplateId };
}

/** Returns the text. Xiaomi has one field for both texts and shows it expanded if it is `big_text`. */
const fullText = (message: Message): string => message.big_text ?? displayTexts(message).body;

/**
 * Returns the displayed texts. A data-only message should not reach this function. Its texts are empty, so Xiaomi
 * rejects it instead of displaying it.
 */
function textsOf(message: Message): Fields {
  if (message.type === 'cmd') return { title: '', description: '' };
  return {
    title: cutToLength(displayTexts(message).title, TITLE_CHARACTERS_MAX, characterCountOf),
    description: cutToLength(fullText(message), TEXT_CHARACTERS_MAX, characterCountOf),
  };
}

/** Returns the click fields. Without `notify_effect`, the message would have a type that Xiaomi no longer supports. */
function clickOf(intent: string | undefined): Fields {
  if (intent === undefined) return { 'extra.notify_effect': '1' };
  return { 'extra.notify_effect': '2', 'extra.intent_uri': intent };
}

/**
 * Returns the template fields. If the message sets no variables, they get their values from the fields that the
 * credentials name. By default, the title and the text fill `{$keywords1$}` and `{$keywords2$}`.
 */
function templateOf(
  message: Message,
  templateId: string | undefined,
  variables: TemplateVariables = { keywords1: 'title', keywords2: 'body' },
): Fields {
  if (templateId === undefined) return {};
  const templateParam = message.xiaomi?.template_param;
  const values: Record<string, string> =
    templateParam === undefined
      ? Object.fromEntries(Object.entries(variables).map(([name, source]) => [name, variableValue(message, source)]))
      : (JSON.parse(templateParam) as Record<string, string>);
  const fittedValues = Object.entries(values).map(([name, value]) => [name, templateValue(value)]);
  return { 'extra.template_id': templateId, 'extra.template_param': JSON.stringify(Object.fromEntries(fittedValues)) };
}

/** Returns the value of a template variable. A field of `ext` that is not a text or a number has no value. */
function variableValue(message: Message, source: string): string {
  const { title = '', description = '' } = textsOf(message);
  if (source === 'title') return title;
  if (source === 'body') return description;
  if (source === 'big_text') return message.big_text ?? description;
  const value = message.ext?.[source.slice('ext.'.length)];
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** Removes symbols such as emoji and replaces an empty value, because Xiaomi rejects both. */
function templateValue(text: string): string {
  const cleanText = text.replace(/[\p{So}\p{Sk}\p{Cn}\p{Cs}\p{Cf}]|\ufe0f|\u20e3/gu, '').trim();
  return cutToLength(cleanText, TEMPLATE_VALUE_CHARACTERS_MAX, characterCountOf) || '-';
}

/**
 * Returns the URI of a sound, which is a file in the app's raw resources. A silent notification cannot be requested,
 * because the channel determines the sound.
 */
function soundOf(sound: string | undefined, packageName: string | undefined): string | undefined {
  if (sound === undefined || sound === 'default' || sound === 'none' || packageName === undefined) return undefined;
  const name = sound.replace(/^\/?raw\//, '').replace(/\.\w+$/, '');
  return `android.resource://${packageName}/raw/${name}`;
}

/** Returns the callback fields. A URL that is too long is left out, because Xiaomi would reject the whole message. */
function callbackOf({ reference, callbackUrl }: Notification): Fields {
  const param = { 'extra.callback.param': reference };
  if (callbackUrl === undefined || byteLengthOf(callbackUrl) > CALLBACK_BYTES_MAX) return param;
  return { 'extra.callback': callbackUrl, ...param, 'extra.callback.type': CALLBACK_TYPES };
}

function formOf(fields: Fields): URLSearchParams {
  const presentFields = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(presentFields);
}
