import { asRecord, type Json } from '../kit/read.ts';
import { allOf, anyValue, type Check, integer, objectWith, text, type Violation } from '../kit/shape.ts';

/** What `messageJson` may look like (vendor sheet §3). Cross rules stand beside the object they are about. */

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** From 1 to so many, as a person counts them. */
function characters(max: number): Check {
  return (value, path) => {
    if (typeof value !== 'string') return { path, kind: 'shape', text: 'must be a text' };
    const { length } = [...value];
    const isGood = length >= 1 && length <= max;
    return isGood ? undefined : { path, kind: 'value', text: `must have 1 to ${max} characters, not ${length}` };
  };
}

/** Meizu's own SDK writes true and false where its documentation writes 1 and 0. */
const toggle: Check = (value, path) =>
  [0, 1, true, false].includes(value as number) ? undefined : { path, kind: 'value', text: 'must be 0 or 1' };

function oneOf(...values: readonly unknown[]): Check {
  return (value, path) =>
    values.includes(value) ? undefined : { path, kind: 'value', text: `must be one of ${values.join(', ')}` };
}

/** Bytes, not characters. */
function bytes(max: number): Check {
  return allOf(text(), (value, path) =>
    Buffer.byteLength(String(value)) <= max
      ? undefined
      : { path, kind: 'value', text: `must have ${max} bytes at most` },
  );
}

/** A key that another one needs. */
function requiresField(key: string, requiredFields: Readonly<Record<number, string>>): Check {
  return (value, path) => {
    const record = asRecord(value);
    const requiredField = requiredFields[Number(record[key])];
    const isMissing = requiredField !== undefined && !record[requiredField];
    return isMissing ? { path, kind: 'value', text: `needs ${requiredField} for ${key} ${record[key]}` } : undefined;
  };
}

const stringValues: Check = (value, path) => {
  const values = Object.values(asRecord(value));
  return values.every((each) => typeof each === 'string')
    ? undefined
    : { path, kind: 'shape', text: 'must have texts' };
};

const message = objectWith(
  {
    noticeBarInfo: objectWith(
      {
        noticeMsgType: oneOf(0, 1),
        noticeBarType: oneOf(0, 2),
        title: characters(32),
        content: characters(100),
      },
      ['title', 'content'],
    ),
    noticeExpandInfo: allOf(
      objectWith({ noticeExpandType: integer(0, 2), noticeExpandContent: text(), noticeExpandImgUrl: text() }),
      requiresField('noticeExpandType', { 1: 'noticeExpandContent', 2: 'noticeExpandImgUrl' }),
    ),
    clickTypeInfo: allOf(
      objectWith({
        clickType: integer(0, 2), // 3 is not used any more
        activity: text({ max: 1000, pattern: /^[\w$]+(?:\.[\w$]+)+$/ }),
        url: text({ max: 1000 }),
        parameters: stringValues,
        customAttribute: anyValue,
      }),
      requiresField('clickType', { 1: 'activity', 2: 'url' }),
    ),
    pushTimeInfo: objectWith({ offLine: toggle, validTime: integer(1, 72) }),
    advanceInfo: objectWith({
      suspend: toggle,
      clearNoticeBar: toggle,
      fixDisplay: toggle,
      fixStartDisplayTime: text({ pattern: TIME }),
      fixEndDisplayTime: text({ pattern: TIME }),
      notificationType: objectWith({ vibrate: toggle, lights: toggle, sound: toggle }),
      notifyKey: text({ pattern: /^[0-9A-Za-z_-]{0,8}$/ }),
    }),
    extra: objectWith({
      callback: bytes(128),
      'callback.param': bytes(64),
      'callback.type': oneOf('1', '2', '3', 1, 2, 3),
    }),
  },
  ['noticeBarInfo'],
);

/** Nothing: it is fine. */
export function findViolation(json: Json): Violation | undefined {
  return message(json, '');
}
