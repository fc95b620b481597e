import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, isSecureImage, shownTexts, ttlSeconds } from '../translate/android-message.ts';
import { androidWishes, type BadgeChange, badgeChange } from '../translate/android-options.ts';
import { longestNotification, textCut } from '../translate/cuts.ts';
import { bytesOf, charactersOf, cutToLength, fitText } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { HuaweiCredentials } from './credentials.ts';

/** Huawei counts the body without its tokens. */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Huawei keeps a message for at most 15 days. */
const TTL_SECONDS_MAX = 15 * 24 * 3_600;
/** Launchers show no more. */
const BADGE_MAX = 99;
const FOLDED_CHARACTERS = 256;

type Wishes = Pick<HuaweiCredentials, 'isTest' | 'category' | 'importance' | 'channelId'>;

interface Texts {
  readonly title: string;
  readonly body: string;
  /** Shown when the notification is unfolded; empty: it is the same as folded. */
  readonly big: string;
}

/** The body of a request, the same for all of the tokens. */
export function huaweiBody(notification: Notification, tokens: readonly string[], wishes: Wishes, now: Date): string {
  const { message } = notification;
  const bytesMax = PAYLOAD_BYTES_MAX + bytesOf(JSON.stringify(tokens));
  const build = (texts?: Texts) =>
    stringifyJson({
      validate_only: false,
      message: {
        data: androidData(notification),
        android: androidConfig(notification, texts, wishes, now),
        token: tokens,
      },
    });
  if (message.type === 'cmd') return build();
  const { title, body } = foldedTexts(message);
  const whole = fitText(message.big_text ?? '', bytesMax, (big) => build({ title, body, big }));
  // If the folded text alone is too long, there is no room for another.
  return bytesOf(whole) <= bytesMax ? whole : fitText(body, bytesMax, (cut) => build({ title, body: cut, big: '' }));
}

/** Folded, a large text has one line or two: what nobody sees takes no room from what is unfolded. */
function foldedTexts(message: Message): { readonly title: string; readonly body: string } {
  const { title, body } = shownTexts(message);
  return { title, body: message.big_text === undefined ? body : cutToLength(body, FOLDED_CHARACTERS, charactersOf) };
}

/** What would be cut off a message, in sentences, whatever task it goes out for. */
export function huaweiCuts(message: Message): string[] {
  const wishes = { isTest: true, category: 'x'.repeat(64), importance: 'NORMAL', channelId: 'x'.repeat(64) } as const;
  const body = huaweiBody(longestNotification(message), [], wishes, new Date(0));
  if (bytesOf(body) > PAYLOAD_BYTES_MAX + '[]'.length)
    return [`It is refused: even without its text it has more than Huawei's ${PAYLOAD_BYTES_MAX} bytes.`];
  if (message.type === 'cmd') return [];
  const { android } = (JSON.parse(body) as { message: { android: { notification: Record<string, string> } } }).message;
  const { body: folded = '', big_body: unfolded = folded } = android.notification;
  if (folded === '') return ['It is refused: Huawei takes no notification without a text.'];
  const limit = `Huawei takes ${PAYLOAD_BYTES_MAX} bytes`;
  return [
    ...textCut(message.big_text ?? shownTexts(message).body, unfolded, limit),
    ...(message.type === 'image' && !isSecureImage(message)
      ? ['The picture is left out: Huawei loads pictures by https only.']
      : []),
  ];
}

function androidConfig(notification: Notification, texts: Texts | undefined, wishes: Wishes, now: Date): object {
  const { message, reference, notAfter } = notification;
  // A command is of the certificate's class only if it says so itself: most classes are for what is shown.
  const category = androidWishes(message, 'huawei').category ?? (texts && wishes.category);
  return {
    ttl: `${ttlSeconds(notAfter, now, TTL_SECONDS_MAX)}s`,
    bi_tag: reference,
    ...(category !== undefined && { category }),
    ...(wishes.isTest && { target_user_type: 1 }),
    ...(texts && { notification: shown(notification, texts, wishes) }),
  };
}

function shown({ message, taskId }: Notification, { title, body, big }: Texts, wishes: Wishes): object {
  const wished = androidWishes(message, 'huawei');
  const { channel_id = wishes.channelId, importance = wishes.importance } = wished;
  return {
    title,
    body,
    ...(big !== '' && { style: 1, big_title: title, big_body: big }),
    ...(message.type === 'image' && isSecureImage(message) && { image: message.attachment_url }),
    ...soundOf(wished.sound),
    ...(channel_id !== undefined && { channel_id }),
    ...(importance !== undefined && { importance }),
    click_action: wished.intent === undefined ? { type: 3 } : { type: 1, intent: wished.intent },
    // Without the class of the launcher's entry Huawei has no icon to put a number on.
    ...(wished.badge_class !== undefined && { badge: badgeOf(badgeChange(message.badge), wished.badge_class) }),
    // The same for every attempt, so that one sent twice replaces itself on the screen.
    tag: taskId.toString(),
  };
}

function badgeOf(change: BadgeChange, launcherClass: string): object | undefined {
  if ('set' in change) return { set_num: Math.min(change.set, BADGE_MAX), class: launcherClass };
  // Nothing to add cannot be said: without a number Huawei would add one.
  if (change.add === 0) return undefined;
  return { add_num: Math.min(change.add, BADGE_MAX), class: launcherClass };
}

/** A sound is a file among the app's raw resources; `none` is silence. */
function soundOf(sound: string | undefined): object {
  if (sound === undefined || sound === 'default') return { default_sound: true };
  if (sound === 'none') return { default_sound: false };
  const name = sound.replace(/^\/?raw\//, '').replace(/\.\w+$/, '');
  return { default_sound: false, sound: `/raw/${name}` };
}
