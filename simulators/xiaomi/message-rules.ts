import { parseObject } from '../kit/read.ts';
import type { App } from './apps.ts';
import type { Form } from './arrival.ts';
import type { Code } from './responses.ts';

/** Rules for a message. The first violated rule is reported. */

const BYTES_MAX = 4096;
const TOKENS_MAX = 1000;
const TITLE_CHARACTERS_MAX = 49;
const TEXT_CHARACTERS_MAX = 127;
const CUSTOM_EXTRAS_MAX = 10;
const CUSTOM_CHARACTERS_MAX = 1024;
const INT_MAX = 2 ** 31 - 1;
const CALLBACK_BYTES_MAX = 128;
const PARAM_BYTES_MAX = 256;
const TEMPLATE_VALUE_CHARACTERS_MAX = 128;
/** Sum of all defined flags. */
const RECEIPT_FLAGS = 1 + 2 + 16 + 32 + 64 + 128 + 1024;

const plainFields = [
  ...['registration_id', 'restricted_package_name', 'title', 'description', 'payload', 'time_to_live', 'time_to_send'],
  ...['notify_id', 'pass_through', 'notify_type'],
];
const knownExtras = [
  ...['notify_effect', 'intent_uri', 'web_uri', 'channel_id', 'channel_name', 'channel_description', 'template_id'],
  ...['template_param', 'sound_uri', 'notify_foreground', 'only_send_once', 'jobkey', 'callback', 'callback.param'],
  ...['callback.type', 'notification_style_type', 'flow_control', 'connpt', 'app_version', 'app_version_not_in'],
  ...['locale', 'locale_not_in'],
].map((name) => `extra.${name}`);

type Rule = readonly [Code, string, (form: Form, app: App) => boolean];

const rules: readonly Rule[] = [
  [10008, 'the message has an unknown field', (form) => Object.keys(form).some(isUnknown)],
  [10016, 'registration_id is missing', ({ registration_id = '' }) => registration_id === ''],
  [10017, 'more than 1000 targets', ({ registration_id = '' }) => registration_id.split(',').length > TOKENS_MAX],
  [10016, 'restricted_package_name is missing', ({ restricted_package_name = '' }) => restricted_package_name === ''],
  [22022, 'restricted_package_name is not a package of this app', hasOtherPackage],
  [10017, 'pass_through is no longer supported', ({ pass_through = '0' }) => pass_through !== '0'],
  [
    65011,
    'title or description is blank',
    ({ title = '', description = '' }) => isBlank(title) || isBlank(description),
  ],
  [65009, 'title must be shorter than 50 characters', ({ title = '' }) => charactersOf(title) > TITLE_CHARACTERS_MAX],
  [
    65009,
    'description must be shorter than 128 characters',
    ({ description = '' }) => charactersOf(description) > TEXT_CHARACTERS_MAX,
  ],
  [65009, 'the message is longer than 4 KB', (form) => bytesOfMessage(form) > BYTES_MAX],
  [10017, 'time_to_live', ({ time_to_live = '0' }) => !/^\d{1,12}$/.test(time_to_live)],
  [10017, 'notify_id', ({ notify_id = '0' }) => !/^\d{1,10}$/.test(notify_id) || Number(notify_id) > INT_MAX],
  [10017, 'extra.notify_effect must be 1, 2 or 3', (form) => !/^[123]$/.test(form['extra.notify_effect'] ?? '')],
  [10017, 'extra.intent_uri is missing', (form) => form['extra.notify_effect'] === '2' && !isIntent(form)],
  [10017, 'extra.web_uri is missing', (form) => form['extra.notify_effect'] === '3' && !isWebPage(form)],
  [10017, 'extra.sound_uri is not a resource of the app', hasOtherSound],
  [10017, 'extra.notification_style_type', (form) => !/^[12]?$/.test(form['extra.notification_style_type'] ?? '')],
  [70012, 'extra.jobkey', (form) => !/^(?!_)[\w-]{1,20}$/.test(form['extra.jobkey'] ?? 'none')],
  [65014, 'too many extras', (form) => customExtrasOf(form).length > CUSTOM_EXTRAS_MAX],
  [65015, 'the extras are too long', (form) => customExtrasOf(form).flat().join('').length > CUSTOM_CHARACTERS_MAX],
  [10025, 'extra.callback', (form) => !isCallback(form['extra.callback'])],
  [10025, 'extra.callback.param', (form) => Buffer.byteLength(form['extra.callback.param'] ?? '') > PARAM_BYTES_MAX],
  [27001, 'the channel does not belong to this app', hasOtherChannel],
  [27001, 'a private channel requires a template with all of its parameters', hasWrongTemplate],
];

export function findRejection(form: Form, app: App): readonly [Code, string] | undefined {
  const brokenRule = rules.find(([, , isBroken]) => isBroken(form, app));
  return brokenRule && [brokenRule[0], brokenRule[1]];
}

/**
 * Returns the receipt types that a message requests: delivered and clicked by default. Returns 0 if the sum contains
 * unknown flags.
 */
export function receiptFlagsOf(form: Form): number {
  const flags = Number(form['extra.callback.type'] ?? 3);
  return Number.isInteger(flags) && flags > 0 && (flags & ~RECEIPT_FLAGS) === 0 ? flags : 0;
}

function isUnknown(name: string): boolean {
  return !name.startsWith('extra.') && !plainFields.includes(name);
}

function customExtrasOf(form: Form): [string, string][] {
  return Object.entries(form).filter(([name]) => name.startsWith('extra.') && !knownExtras.includes(name));
}

function hasOtherPackage({ restricted_package_name = '' }: Form, { packageNames }: App): boolean {
  return restricted_package_name.split(',').some((name) => !packageNames.includes(name));
}

/** Returns the size of a message. Tokens and packages do not count, because the phone does not receive them. */
function bytesOfMessage({ registration_id: _tokens, restricted_package_name: _packages, ...message }: Form): number {
  return Object.values(message).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
}

function isIntent(form: Form): boolean {
  return /^intent:.*#Intent;.*\bend$/s.test(form['extra.intent_uri'] ?? '');
}

function isWebPage(form: Form): boolean {
  return /^https?:\/\/\S+$/.test(form['extra.web_uri'] ?? '');
}

function hasOtherSound(form: Form, { packageNames }: App): boolean {
  const sound = form['extra.sound_uri'];
  const [, owner] = /^android\.resource:\/\/([\w.]+)\/raw\/\w+$/.exec(sound ?? '') ?? [];
  return sound !== undefined && !packageNames.includes(owner ?? '');
}

function isCallback(url: string | undefined): boolean {
  return url === undefined || (/^https?:\/\/\S+$/.test(url) && Buffer.byteLength(url) <= CALLBACK_BYTES_MAX);
}

function hasOtherChannel(form: Form, { channels }: App): boolean {
  const channel = form['extra.channel_id'];
  return channel !== undefined && !Object.hasOwn(channels, channel);
}

function hasWrongTemplate(form: Form, { channels, templates }: App): boolean {
  const id = form['extra.template_id'];
  if (id === undefined) return channels[form['extra.channel_id'] ?? ''] === 'private';
  const names = templates[id];
  const values = parseObject(Buffer.from(form['extra.template_param'] ?? ''));
  if (names === undefined || values === undefined || Object.keys(values).length !== names.length) return true;
  return names.some((name) => !isTemplateValue(values[name]));
}

/** Returns whether a template value is valid. Emoji and unassigned code points are not allowed. */
function isTemplateValue(value: unknown): boolean {
  if (typeof value !== 'string' || isBlank(value) || /[\p{So}\p{Cn}]/u.test(value)) return false;
  return charactersOf(value) <= TEMPLATE_VALUE_CHARACTERS_MAX;
}

const isBlank = (text: string): boolean => text.trim() === '';
const charactersOf = (text: string): number => [...text].length;
