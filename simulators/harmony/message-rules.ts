import { asRecord } from '../kit/read.ts';
import { allOf, anyValue, bool, type Check, httpsUrl, integer, listOf, objectWith, text } from '../kit/shape.ts';

/** Rules for a message. A rule about several fields is next to the object that contains the fields. */

const TTL_SECONDS_MAX = 1_296_000; // 15 days
const INT_MAX = 2 ** 31 - 1;
/** Classes of a notification. PLAY_VOICE is missing, because it requires another push type. */
const CATEGORIES = [
  ...['IM', 'VOIP', 'MISS_CALL', 'SUBSCRIPTION', 'TRAVEL', 'HEALTH', 'WORK', 'ACCOUNT', 'EXPRESS', 'FINANCE'],
  ...['DEVICE_REMINDER', 'MAIL', 'CUSTOMER_SERVICE', 'MARKETING'],
];

const clickAction = allOf(
  objectWith({ actionType: integer(0, 1), action: text(), uri: text(), data: objectOfAnything }, ['actionType']),
  (value, path) => {
    const { actionType, action, uri } = asRecord(value);
    const isCoherent = actionType === 0 || Boolean(action ?? uri);
    return isCoherent ? undefined : { path, kind: 'value', text: 'requires action or uri for actionType 1' };
  },
);

function objectOfAnything(value: unknown, path: string): ReturnType<Check> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? undefined : { path, kind: 'shape', text: 'must be an object' };
}

const notEmpty = text({ pattern: /./s });

const notification = allOf(
  objectWith(
    {
      category: text({ words: CATEGORIES }),
      title: notEmpty,
      body: notEmpty,
      image: httpsUrl,
      style: (value, path) =>
        [0, 3].includes(value as number) ? undefined : { path, kind: 'value', text: 'must be 0 or 3' },
      inboxContent: listOf(text({ max: 1024 }), 3),
      clickAction,
      notifyId: integer(0, INT_MAX),
      appMessageId: text({ pattern: /^[A-Za-z0-9+/=\-_ ]{1,64}$/ }),
      badge: objectWith({ addNum: integer(1, 99), setNum: integer(0, 99) }),
      sound: text({ pattern: /^[^/\s]+\.\w+$/ }),
      soundDuration: integer(1, 60),
      foregroundShow: bool,
      profileId: text({ max: 64 }),
    },
    ['category', 'title', 'body', 'clickAction'],
  ),
  (value, path) => {
    const { style, inboxContent } = asRecord(value);
    return style === 3 && inboxContent === undefined
      ? { path, kind: 'value', text: 'requires inboxContent for style 3' }
      : undefined;
  },
);

/** The rules of the payload for each supported value of the header `push-type`. */
const payloads: Readonly<Record<string, Check>> = {
  '0': objectWith({ notification }, ['notification']),
  '6': objectWith({ extraData: notEmpty, proxyData: text({ words: ['ENABLE'] }) }, ['extraData']),
};

const pushOptions = objectWith({
  testMessage: bool,
  ttl: integer(1, TTL_SECONDS_MAX),
  biTag: text({ max: 64 }),
  receiptId: text(),
  collapseKey: integer(-1, 100),
  backgroundMode: integer(0, 1),
});

/** The number of tokens has a separate error code. */
const target = objectWith({ token: listOf(text({ pattern: /^\S+$/ }), Number.POSITIVE_INFINITY) }, ['token']);

export const isSupportedPushType = (pushType: string): boolean => Object.hasOwn(payloads, pushType);

/** Returns the check of the whole body of a request. */
export const envelopeOf = (pushType: string): Check =>
  objectWith({ payload: payloads[pushType] ?? anyValue, target, pushOptions }, ['payload', 'target']);
