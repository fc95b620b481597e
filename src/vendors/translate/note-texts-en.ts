import { type VendorName, vendorFacts } from '#src/domain/channel.ts';
import type { DailyCap } from './daily-cap.ts';

/** Names of companies, where the name of the push service would be wrong. */
const companies: Partial<Record<VendorName, string>> = { apns: 'Apple', fcm: 'Google' };
const companyOf = (vendor: VendorName): string => companies[vendor] ?? vendorFacts[vendor].displayName;
const serviceOf = (vendor: VendorName): string => vendorFacts[vendor].displayName;

/** Follows `Daily limit: `. */
const capText = ({ usual, news }: DailyCap): string =>
  `a device gets ${usual} messages per app per day (${news} if the app is licensed for news)`;
const withCap = (cap: DailyCap | null): string => (cap ? `. Daily limit: ${capText(cap)}` : '');

/** English sentences about content that a vendor cuts or rejects, and about restrictions by vendors. */
export const noteTextsEn = {
  unreadable: 'The credentials cannot be decrypted. Save them again.',
  endsTooSoon:
    'The notification is not sent to this vendor, because show_end_time is nearer than its shortest lifetime.',

  textCut: (shown: number, full: number, limit: string): string =>
    `The text is cut to ${shown} of its ${full} characters: ${limit}.`,
  dataOmitted: (field: string, limit: string): string => `${field} is left out of the data for the app: ${limit}.`,
  /** The limits follow a colon. */
  charactersLimit: (vendor: VendorName, max: number): string =>
    `${companyOf(vendor)} accepts at most ${max} characters`,
  bytesLimit: (vendor: VendorName, max: number): string =>
    `${companyOf(vendor)} ${vendor === 'webpush' ? 'allows' : 'accepts'} at most ${max} bytes`,
  titleCut: (max: number): string => `The title is cut to ${max} characters.`,
  bigTextCut: (max: number): string => `big_text is cut to ${max} characters.`,
  bigTextHidden: (vendor: VendorName): string => `big_text is not displayed: ${serviceOf(vendor)} does not support it.`,
  noImages: (vendor: VendorName): string => `The image is left out: ${companyOf(vendor)} shows no images.`,
  onlyHttpsImages: (vendor: VendorName): string =>
    `The image is left out: ${vendor === 'webpush' ? 'browsers load' : `${companyOf(vendor)} loads`} images only over https.`,
  onlyOwnImages: (vendor: VendorName): string =>
    `The image is left out: ${companyOf(vendor)} shows only images on its own servers.`,
  onlyBroadcastImages: (vendor: VendorName): string =>
    `The image is left out: ${companyOf(vendor)} shows images only in broadcasts.`,

  noDataOnly: (vendor: VendorName): string =>
    `The message is rejected: ${companyOf(vendor)} does not support data-only messages.`,
  bodyRequired: (vendor: VendorName): string =>
    `The message is rejected: ${companyOf(vendor)} requires a non-empty body.`,
  titleAndBodyRequired: (vendor: VendorName): string =>
    `The message is rejected: ${companyOf(vendor)} requires a non-empty title and body.`,
  intentTooLong: (vendor: VendorName, max: number): string =>
    `The message is rejected: the intent is longer than ${companyOf(vendor)}'s limit of ${max} characters.`,
  dataTooLong: (vendor: VendorName, max: number): string =>
    `The message is rejected: the data for the app is longer than ${companyOf(vendor)}'s limit of ${max} characters.`,
  tooLarge: (vendor: VendorName, max: number): string =>
    `The message is rejected: it is larger than ${companyOf(vendor)}'s limit of ${max} bytes.`,
  tooLargeWithoutText: (vendor: VendorName, max: number): string =>
    `The message is rejected: even without its text it is larger than ${companyOf(vendor)}'s limit of ${max} bytes.`,
  perhapsTooLarge: (vendor: VendorName, max: number): string =>
    `The message may be rejected: even without its text it is larger than ${vendor === 'webpush' ? 'the' : `${companyOf(vendor)}'s`} limit of ${max} bytes.`,

  dataHeld: (vendor: VendorName): string =>
    `${companyOf(vendor)} holds a data-only message until the app runs. Send a notification if the user must see it immediately.`,
  testMessageOfApp: (perDay: number): string =>
    `This is a test message. The limit for test messages of an app is ${perDay} a day: use environment 1 for more.`,
  testMessageOfProject: (perDay: number): string =>
    `This is a test message. The limit for test messages of a project is ${perDay} a day: use environment 1 for more.`,

  apnsDataOnly: (from: number, to: number): string =>
    `Apple delivers about ${from} or ${to} data-only messages (cmd) per hour to a phone, and delivers further messages late or never. Send urgent messages as a notification, with ios.content_available if the app must wake up.`,
  fcmDataOnly:
    'A data-only message (cmd) has priority NORMAL, and a sleeping phone receives it when it wakes up. Send urgent messages as a notification.',

  huaweiNoClass: (cap: DailyCap): string =>
    `Neither the message nor the credentials name a class, so Huawei treats the message as marketing. Daily limit: ${capText(cap)}. To avoid this, name one of the classes granted to the app in huawei.category or in the credentials.`,
  huaweiMarketing: (cap: DailyCap): string =>
    `The class of the message is MARKETING. Daily limit: ${capText(cap)}. If the message is not marketing, name another class in huawei.category.`,
  huaweiLow:
    'With importance LOW Huawei shows the notification without a sound. For a sound, set huawei.importance to NORMAL.',

  harmonyNoClass: (cap: DailyCap): string =>
    `Neither the message nor the credentials name a class, so the message is sent as MARKETING. Daily limit: ${capText(cap)}, without a sound. To avoid this, name one of the classes granted to the app in harmony.category or in the credentials.`,
  harmonyMarketing: (cap: DailyCap): string =>
    `The class of the message is MARKETING. Daily limit: ${capText(cap)}, without a sound. If the message is not marketing, name another class in harmony.category.`,

  honorUnknownClass: (category: string, importance: string): string =>
    `Honor does not support the class ${category}, so the message is sent as ${importance}. Set honor.category to LOW or NORMAL.`,
  /** The cap is null if none applies. */
  honorLow: (cap: DailyCap | null): string =>
    `With importance LOW Honor treats the message as marketing${withCap(cap)}. Set honor.category to NORMAL if the app has the permission for it.`,
  honorLowImage: 'The image is not shown: Honor shows no images with importance LOW.',
  honorNoImportance: (cap: DailyCap | null): string =>
    `Neither the message nor the credentials set an importance, so the message is sent as NORMAL. Without the permission for NORMAL, Honor has treated messages as marketing since 2024-12-31${withCap(cap)}. Set importance in the credentials to the one granted to the app.`,

  xiaomiNoChannel: (perDay: number): string =>
    `Neither the message nor the credentials name a channel. Without a channel, a device receives ${perDay} message per day from an app, and none from newer apps. Name a channel of Xiaomi's console in xiaomi.channel_id or in the credentials.`,
  xiaomiNoTemplate: (channelId: string): string =>
    `The channel ${channelId} is private, and the message has no template. Xiaomi requires a template for private messages: name one in xiaomi.template_id or in the credentials.`,
  xiaomiPublic: (cap: DailyCap): string =>
    `Without a template the message has Xiaomi's public class. Daily limit: ${capText(cap)}. For a private message, set a private channel in xiaomi.channel_id and its template in xiaomi.template_id, or both in the credentials.`,
  xiaomiOtherVariables: (names: string, expected: string): string =>
    `The values in xiaomi.template_param are for ${names}, but the template has the variables ${expected}. Xiaomi rejects the message.`,

  oppoNoClass: (cap: DailyCap): string =>
    `Neither the message nor the credentials name a class, so OPPO treats the message as content and marketing. Daily limit: ${capText(cap)}. To avoid this, name one of the classes granted to the app in oppo.category or in the credentials.`,
  oppoLevelOmitted: 'notify_level is left out: OPPO accepts it only together with a class.',
  oppoMarketing: (category: string, cap: DailyCap): string =>
    `The class ${category} is content or marketing. Daily limit: ${capText(cap)}. If the message is neither, name another class in oppo.category.`,
  oppoDefaultLevel: (category: string): string =>
    `The message has OPPO's default notification level, because notify_level in the credentials applies only to their own class. Set oppo.notify_level if the app was granted a level for ${category}.`,

  vivoTestMessage: (perDay: string): string =>
    `This is a test message. It reaches only devices that vivo's console lists. The limit for test messages of an app is ${perDay} a day: use environment 1 and push_mode 0 to reach other devices.`,
  vivoClassificationIgnored: (category: string): string =>
    `classification 1 is not used, since ${category} is operational: name a class of system messages instead.`,
  vivoCategoryIgnored: (category: string): string =>
    `The class ${category} of the credentials is not used, since the message is operational: set vivo.classification to 1, or default_classification in the credentials.`,
  vivoOperational: (cap: DailyCap, from: string, to: string): string =>
    `This is an operational message. Daily limit: ${capText(cap)}. vivo accepts operational messages only from ${from} to ${to} in Beijing. If it is a system message, name its class in vivo.category or in the credentials.`,
  vivoNoClass: 'A system message without a class may be treated as operational: name its class in vivo.category.',

  flymePublic: (cap: DailyCap): string =>
    `This is a public message. Daily limit: ${capText(cap)}. If the message is private, set flyme.notice_msg_type to 1, or notice_msg_type in the credentials.`,

  webPushNoPage:
    'Safari displays the notification only if the service worker of the page runs, because the message names no page to open. Set webpush.navigate, or navigate in the credentials.',
  webPushLowUrgency: (urgency: string): string =>
    `A device with a low battery receives a notification of urgency ${urgency} later. Send urgent notifications without webpush.urgency.`,
};

/** The sentences in one language. */
export type NoteTexts = typeof noteTextsEn;
