import { asRecord, type Json } from '../kit/read.ts';
import { allOf, anyValue, type Check, integer, objectWith, text, type Violation } from '../kit/shape.ts';

/** Rules for `messageJson`. A rule about several fields is next to the object that contains the fields. */

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Requires a time in Beijing, as `yyyy-MM-dd HH:mm:ss`. */
const beijingTime = allOf(text({ pattern: TIME }), (value, path) =>
  Number.isNaN(beijingTimeMs(value)) ? { path, kind: 'value', text: 'must be a time that exists' } : undefined,
);

const beijingTimeMs = (value: unknown): number => Date.parse(`${String(value).replace(' ', 'T')}+08:00`);

/** Requires both times, in order, for a notification that is shown only in this time. */
const displayTimes: Check = (value, path) => {
  const { fixDisplay, fixStartDisplayTime, fixEndDisplayTime } = asRecord(value);
  if (fixDisplay !== 1 && fixDisplay !== true) return undefined;
  // A missing time is not a number, so the comparison is false.
  return beijingTimeMs(fixStartDisplayTime) < beijingTimeMs(fixEndDisplayTime)
    ? undefined
    : { path, kind: 'value', text: 'requires a fixEndDisplayTime after fixStartDisplayTime for fixDisplay 1' };
};

/** Requires 1 to `max` characters, counted as Unicode code points. */
function characters(max: number): Check {
  return (value, path) => {
    if (typeof value !== 'string') return { path, kind: 'shape', text: 'must be a string' };
    const { length } = [...value];
    const isGood = length >= 1 && length <= max;
    return isGood ? undefined : { path, kind: 'value', text: `must have 1 to ${max} characters, not ${length}` };
  };
}

/** Meizu's SDK sends true and false, although its documentation specifies 1 and 0. */
const toggle: Check = (value, path) =>
  [0, 1, true, false].includes(value as number) ? undefined : { path, kind: 'value', text: 'must be 0 or 1' };

function oneOf(...values: readonly unknown[]): Check {
  return (value, path) =>
    values.includes(value) ? undefined : { path, kind: 'value', text: `must be one of ${values.join(', ')}` };
}

/** Limits the length in bytes, not in characters. */
function bytes(max: number): Check {
  return allOf(text(), (value, path) =>
    Buffer.byteLength(String(value)) <= max
      ? undefined
      : { path, kind: 'value', text: `must have at most ${max} bytes` },
  );
}

/** Requires another field for certain values of `key`. */
function requiresField(key: string, requiredFields: Readonly<Record<number, string>>): Check {
  return (value, path) => {
    const record = asRecord(value);
    const requiredField = requiredFields[Number(record[key])];
    const isMissing = requiredField !== undefined && !record[requiredField];
    return isMissing ? { path, kind: 'value', text: `requires ${requiredField} for ${key} ${record[key]}` } : undefined;
  };
}

const stringValues: Check = (value, path) => {
  const values = Object.values(asRecord(value));
  return values.every((each) => typeof each === 'string')
    ? undefined
    : { path, kind: 'shape', text: 'must contain only strings' };
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
        clickType: integer(0, 2), // 3 is retired
        activity: text({ max: 1000, pattern: /^[\w$]+(?:\.[\w$]+)+$/ }),
        url: text({ max: 1000 }),
        parameters: stringValues,
        customAttribute: anyValue,
      }),
      requiresField('clickType', { 1: 'activity', 2: 'url' }),
    ),
    pushTimeInfo: objectWith({ offLine: toggle, validTime: integer(1, 72) }),
    advanceInfo: allOf(
      objectWith({
        suspend: toggle,
        clearNoticeBar: toggle,
        fixDisplay: toggle,
        fixStartDisplayTime: beijingTime,
        fixEndDisplayTime: beijingTime,
        notificationType: objectWith({ vibrate: toggle, lights: toggle, sound: toggle }),
        notifyKey: text({ pattern: /^[0-9A-Za-z_-]{0,8}$/ }),
      }),
      displayTimes,
    ),
    extra: objectWith({
      callback: bytes(128),
      'callback.param': bytes(64),
      'callback.type': oneOf('1', '2', '3', 1, 2, 3),
    }),
  },
  ['noticeBarInfo'],
);

/** Returns undefined if the message is valid. */
export function findViolation(json: Json): Violation | undefined {
  return message(json, '');
}
