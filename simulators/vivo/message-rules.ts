import { asRecord, isRecord, type Json } from '../kit/read.ts';
import { allOf, anyValue, bool, type Check, integer, listOf, objectWith, text } from '../kit/shape.ts';
import type { Code } from './responses.ts';

/** Rules for a message, with the error code for each field. */

const INT_MAX = 2 ** 31 - 1;
const TTL_SECONDS_MIN = 60;
const LIST_TTL_SECONDS_MIN = 900;
const MAP_CHARACTERS_MAX = 1024;
/** A smaller time is in seconds, not in milliseconds. */
const TIME_MS_MIN = 10 ** 12;

const SYSTEM = ['IM', 'ACCOUNT', 'TODO', 'DEVICE_REMINDER', 'ORDER', 'SUBSCRIPTION'];
const OPERATIONAL = ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'];

type Rejection = readonly [Code, string];

/** Limits the length in Unicode code points, as vivo does. A character that needs two UTF-16 units counts as one. */
function characters(max: number): Check {
  return (value, path) => {
    if (typeof value !== 'string') return { path, kind: 'shape', text: 'must be a string' };
    return [...value].length > max ? { path, kind: 'value', text: `must have at most ${max} characters` } : undefined;
  };
}

const customMap: Check = (value, path) => {
  if (!isRecord(value)) return { path, kind: 'shape', text: 'must be an object' };
  if (Object.values(value).some((each) => typeof each !== 'string')) {
    return { path, kind: 'shape', text: 'must have strings as values' };
  }
  const length = Object.entries(value).flat().join('').length;
  return length > MAP_CHARACTERS_MAX ? { path, kind: 'value', text: `has ${length} characters` } : undefined;
};

const timeMs = integer(TIME_MS_MIN, Number.MAX_SAFE_INTEGER);

/** The time in which the phone shows the notification. */
const timedDisplay = allOf(
  objectWith({ showStartTime: timeMs, showEndTime: timeMs, overtimeDisplay: bool }, ['showStartTime', 'showEndTime']),
  (value, path) => {
    const { showStartTime, showEndTime } = asRecord(value);
    return Number(showStartTime) < Number(showEndTime)
      ? undefined
      : { path, kind: 'value', text: 'must end after it starts' };
  },
);

/** Check and error code of each field. */
const rules: Readonly<Record<string, readonly [Check, Code]>> = {
  appId: [anyValue, 10800], // checked by serveSend
  regId: [text({ pattern: /^\S+$/ }), 10050],
  notifyType: [integer(1, 4), 10054],
  title: [characters(40), 10056],
  content: [characters(100), 10058],
  timeToLive: [integer(TTL_SECONDS_MIN, INT_MAX), 10059],
  skipType: [integer(1, 4), 10060],
  skipContent: [characters(2048), 10060],
  networkType: [integer(-1, 1), 10065],
  classification: [integer(0, 1), 10800],
  category: [text({ pattern: /^[A-Z][A-Z_]*$/ }), 10096],
  clientCustomMap: [customMap, 10067],
  extra: [objectWith({ callback: text(), 'callback.id': text(), 'callback.param': text() }), 10304],
  pushMode: [integer(0, 1), 10800],
  notifyId: [integer(1, INT_MAX), 10095],
  requestId: [text({ max: 64, pattern: /^\S+$/ }), 10353],
  profileId: [text({ max: 64 }), 10800],
  sendOnline: [bool, 10800],
  foregroundShow: [bool, 10800],
  timedDisplay: [timedDisplay, 10800],
  addBadge: [bool, 10800],
  auditReview: [listOf(anyValue, 10), 10800],
};

const required: readonly (readonly [string, Code])[] = [
  ['requestId', 10352],
  ['notifyType', 10054],
  ['title', 10055],
  ['content', 10057],
  ['skipType', 10060],
];

/** Checks a message to one phone, or a message that is saved for a list. Returns undefined if it is valid. */
export function checkMessage(body: Json, isForList: boolean): Rejection | undefined {
  const unknown = Object.keys(body).find((key) => !Object.hasOwn(rules, key) || (isForList && key === 'regId'));
  if (unknown !== undefined) return [10800, `${unknown} is unknown`];
  const missing = required.find(([key]) => body[key] === undefined || body[key] === '');
  if (missing !== undefined) return [missing[1], `${missing[0]} is missing`];
  if (!isForList && body.regId === undefined) return [10050, 'regId is missing'];
  for (const [key, value] of Object.entries(body)) {
    const [check, code] = rules[key] as readonly [Check, Code];
    const violation = check(value, key);
    if (violation !== undefined) return [code, `${violation.path} ${violation.text}`];
  }
  return checkCrossFieldRules(body, isForList);
}

/** Checks the rules that involve several fields. */
function checkCrossFieldRules(body: Json, isForList: boolean): Rejection | undefined {
  const { timeToLive, skipType, skipContent, category, extra, pushMode, title, content } = body;
  if (isForList && Number(timeToLive) < LIST_TTL_SECONDS_MIN)
    return [10059, `timeToLive must be at least ${LIST_TTL_SECONDS_MIN} for a list`];
  if (skipType !== 1 && !skipContent) return [10060, 'skipContent is required for this skipType'];
  if (typeof category === 'string') {
    const kind = SYSTEM.includes(category) ? 1 : OPERATIONAL.includes(category) ? 0 : undefined;
    if (kind !== undefined && body.classification !== undefined && kind !== body.classification) {
      return [10097, `${category} belongs to classification ${kind}`];
    }
  }
  const { callback, 'callback.param': param } = asRecord(extra);
  if (String(callback ?? '').length > 128) return [10305, 'callback'];
  if (String(param ?? '').length > 192) return [10306, 'callback.param'];
  const looksLikeTest = [title, content].some((each) => /^(?:\d+|test|测试)$/i.test(String(each)));
  return pushMode !== 1 && looksLikeTest ? [10104, 'title or content consists of digits or is "test"'] : undefined;
}

/** Returns 1 for system messages and 0 for operational messages. */
export function kindOf({ classification, category }: Json): 0 | 1 {
  return classification === 1 || SYSTEM.includes(String(category)) ? 1 : 0;
}
