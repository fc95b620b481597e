import { asRecord, isJsonObject } from '../kit/read.ts';
import { allOf, type Check, httpsUrl, integer, listOf, objectWith, text, ttlOf } from '../kit/shape.ts';

/** Rules for a message. Honor's message is flat and uses camelCase, so a message for Huawei is rejected. */

const TTL_SECONDS_MAX = 1_296_000; // 15 days
const INT_MAX = 2 ** 31 - 1;

const clickAction = allOf(
  objectWith({ type: integer(1, 3), intent: text(), action: text(), url: httpsUrl }, ['type']),
  (value, path) => {
    const { type, intent, action, url } = asRecord(value);
    const isCoherent = type === 1 ? Boolean(intent ?? action) : type !== 2 || url !== undefined;
    return isCoherent
      ? undefined
      : { path, kind: 'value', text: 'requires intent or action for type 1, url for type 2' };
  },
);

const badge = objectWith({ addNum: integer(1, 99), setNum: integer(0, 99), badgeClass: text({ pattern: /^\S+$/ }) }, [
  'badgeClass',
]);

const button = objectWith(
  {
    name: text({ max: 40 }),
    actionType: integer(0, 2),
    intentType: integer(0, 1),
    intent: text(),
    data: text({ max: 1024 }),
  },
  ['name', 'actionType'],
);

const style: Check = (value, path) => {
  const { style: number, bigTitle, bigBody } = asRecord(value);
  return number === 1 && !(bigTitle && bigBody)
    ? { path, kind: 'value', text: 'requires bigTitle and bigBody for style 1' }
    : undefined;
};

const androidNotification = allOf(
  objectWith(
    {
      title: text(),
      body: text(),
      clickAction,
      image: httpsUrl,
      style: integer(0, 1),
      bigTitle: text(),
      bigBody: text(),
      importance: text({ words: ['LOW', 'NORMAL'] }),
      when: text({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/ }),
      buttons: listOf(button, 3),
      badge,
      notifyId: integer(-1, INT_MAX),
      tag: text(),
      group: text(),
    },
    ['clickAction'],
  ),
  style,
);

const android = objectWith({
  ttl: ttlOf(TTL_SECONDS_MAX),
  biTag: text({ max: 64 }),
  data: text(),
  notification: androidNotification,
  targetUserType: integer(0, 1),
});

/** The whole body of a request. */
export const message = allOf(
  objectWith({
    data: text(),
    notification: objectWith({ title: text(), body: text(), image: httpsUrl }),
    android,
    token: listOf(text({ pattern: /^\S+$/ }), Number.POSITIVE_INFINITY), // the number of tokens has a separate error code
  }),
  checkComplete,
);

/**
 * Checks that a notification has a title, a body and a click action, and that its data, if any, is JSON. A message
 * without a notification must have data.
 */
function checkComplete(value: unknown, path: string): ReturnType<Check> {
  const { data, notification: shared, android: config } = asRecord(value);
  const { data: ownData, notification: own } = asRecord(config);
  const messageData = ownData ?? data;
  const toViolation = (words: string) => ({ path, kind: 'value', text: words }) as const;
  if (shared === undefined && own === undefined) {
    return messageData === undefined ? toViolation('requires data or a notification') : undefined;
  }
  const { title, body, clickAction: click } = { ...asRecord(shared), ...asRecord(own) };
  if (!title || !body) return toViolation('requires title and body');
  if (click === undefined) return toViolation('requires clickAction');
  return messageData === undefined || isJsonObject(String(messageData))
    ? undefined
    : toViolation('requires data to be JSON');
}
