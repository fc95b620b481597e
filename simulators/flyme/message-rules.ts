import { asRecord, type Json } from '../kit/read.ts';
import { all, anything, type Check, type Complaint, fields, text, whole } from '../kit/shape.ts';

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
  return all(text(), (value, path) =>
    Buffer.byteLength(String(value)) <= max
      ? undefined
      : { path, kind: 'value', text: `must have ${max} bytes at most` },
  );
}

/** A key that another one needs. */
function companion(key: string, needs: Readonly<Record<number, string>>): Check {
  return (value, path) => {
    const record = asRecord(value);
    const needed = needs[Number(record[key])];
    const isMissing = needed !== undefined && !record[needed];
    return isMissing ? { path, kind: 'value', text: `needs ${needed} for ${key} ${record[key]}` } : undefined;
  };
}

const texts: Check = (value, path) => {
  const values = Object.values(asRecord(value));
  return values.every((each) => typeof each === 'string')
    ? undefined
    : { path, kind: 'shape', text: 'must have texts' };
};

const message = fields(
  {
    noticeBarInfo: fields(
      {
        noticeMsgType: oneOf(0, 1),
        noticeBarType: oneOf(0, 2),
        title: characters(32),
        content: characters(100),
      },
      ['title', 'content'],
    ),
    noticeExpandInfo: all(
      fields({ noticeExpandType: whole(0, 2), noticeExpandContent: text(), noticeExpandImgUrl: text() }),
      companion('noticeExpandType', { 1: 'noticeExpandContent', 2: 'noticeExpandImgUrl' }),
    ),
    clickTypeInfo: all(
      fields({
        clickType: whole(0, 2), // 3 is not used any more
        activity: text({ max: 1000, pattern: /^[\w$]+(?:\.[\w$]+)+$/ }),
        url: text({ max: 1000 }),
        parameters: texts,
        customAttribute: anything,
      }),
      companion('clickType', { 1: 'activity', 2: 'url' }),
    ),
    pushTimeInfo: fields({ offLine: toggle, validTime: whole(1, 72) }),
    advanceInfo: fields({
      suspend: toggle,
      clearNoticeBar: toggle,
      fixDisplay: toggle,
      fixStartDisplayTime: text({ pattern: TIME }),
      fixEndDisplayTime: text({ pattern: TIME }),
      notificationType: fields({ vibrate: toggle, lights: toggle, sound: toggle }),
      notifyKey: text({ pattern: /^[0-9A-Za-z_-]{0,8}$/ }),
    }),
    extra: fields({
      callback: bytes(128),
      'callback.param': bytes(64),
      'callback.type': oneOf('1', '2', '3', 1, 2, 3),
    }),
  },
  ['noticeBarInfo'],
);

/** Nothing: it is fine. */
export function complaintOf(json: Json): Complaint | undefined {
  return message(json, '');
}
