import { createAppCall, inApp } from './fixture-devices.ts';
import { good, goodMessage, NOTIFY, notify, stored, storedMessage } from './push-notify.ts';
import { type Case, type Expect, type Row, refused } from './row.ts';

/** Rows about fields that `/push/notify` and `/push/validate` do not know. */

const VALIDATE = '/push/validate';
const HEADER = 'carillon-ignored-fields';

const rule = (sentence: string, ...cases: readonly Case[]): Row => ({
  rule: `${NOTIFY} and ${VALIDATE}: ${sentence}`,
  path: NOTIFY,
  kind: 'rule',
  cases,
});
/** The same body for both operations. */
const both = (body: unknown, expect: Expect): Case[] =>
  [NOTIFY, VALIDATE].map((path) => ({ call: notify(body, { path }), expect }));
const inMessage = (fields: object): object => ({ ...good, message: { ...goodMessage, ...fields } });

const typos: readonly (readonly [body: object, typo: string, field: string])[] = [
  [inMessage({ show_begin_tme: 4_000_000_000 }), 'message.show_begin_tme', 'message.show_begin_time'],
  [inMessage({ showBeginTime: 4_000_000_000 }), 'message.showBeginTime', 'message.show_begin_time'],
  [inMessage({ titel: 'x' }), 'message.titel', 'message.title'],
  [inMessage({ ios: { suond: 'x' } }), 'message.ios.suond', 'message.ios.sound'],
  [inMessage({ vivo: { push_mod: 1 } }), 'message.vivo.push_mod', 'message.vivo.push_mode'],
  [inMessage({ xiomi: { sound: 'x' } }), 'message.xiomi', 'message.xiaomi'],
  [{ ...good, settings: { request_id: 'x' } }, 'settings', 'setting'],
  [{ ...good, setting: { requestid: 'x' } }, 'setting.requestid', 'setting.request_id'],
  [{ ...good, audience: { user_ids: [1] } }, 'audience.user_ids', 'audience.user_id'],
  [{ ...good, audience: { tag: ['t'], alais: ['a'] } }, 'audience.alais', 'audience.alias'],
  [{ message: goodMessage, audince: 'all' }, 'audince', 'audience'],
];

export const pushFieldNameGroup: readonly Row[] = [
  rule(
    'a field with a name close to a known field of the same object is rejected: 10002',
    ...typos.flatMap(([body, typo, field]) =>
      both(body, refused(10002, new RegExp(` ${typo} is not a known field: did you mean ${field}\\? .*reject_typos`))),
    ),
  ),
  rule(
    'a field that is known only in another object is ignored',
    ...both(
      { ...good, title: 'x', request_id: 'r', message: { ...goodMessage, sound: 's', fcm: { badge_class: 'c' } } },
      { code: 200, headers: { [HEADER]: /^message\.sound, message\.fcm\.badge_class, title, request_id$/ } },
    ),
  ),
  rule(
    'free-form objects and blank fields are not checked',
    ...both(
      { ...good, settings: {}, message: { ...goodMessage, titel: null, ext: { titel: 'x', message: { bdy: 1 } } } },
      { code: 200, headers: { [HEADER]: null } },
    ),
  ),
  rule(
    `a response without ignored fields has no header ${HEADER}`,
    ...both(good, { code: 200, headers: { [HEADER]: null } }),
  ),
  rule(`the header ${HEADER} lists ignored fields without characters that a header cannot contain`, {
    call: notify({ ...good, 'a\r\nb': 1, 钟: 2, message: { ...goodMessage, colour: 'red' } }),
    expect: { ...stored({ message: storedMessage }), headers: { [HEADER]: /^message\.colour, a\?\?b, \?$/ } },
  }),
  rule(`the header ${HEADER} is short even if there are many fields`, {
    call: notify({ ...good, ...Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`unknown_${i}`, i])) }),
    expect: { code: 200, headers: { [HEADER]: /^unknown_0, unknown_1, [\w, ]{800,1100}, \.\.\.$/ } },
  }),
  rule(`${VALIDATE} also lists ignored fields in its data`, {
    call: notify(inMessage({ colour: 'red' }), { path: VALIDATE }),
    expect: { code: 200, text: /"ignored":\["message\.colour"\]/, headers: { [HEADER]: /^message\.colour$/ } },
  }),
  rule(
    'a misspelled field is ignored if the app setting reject_typos is off',
    ...[NOTIFY, VALIDATE].map((path, i) => ({
      before: [createAppCall(`typos-${i}`, { reject_typos: false })],
      call: inApp(`typos-${i}`, path, { audience: 'all', settings: { a: 1 }, message: { title: 't', titel: 'x' } }),
      expect: { code: 200, headers: { [HEADER]: /^settings, message\.titel$/ } },
    })),
  ),
  rule(
    'an object with only unknown keys is rejected with the known keys: 10002',
    ...both(
      { ...good, audience: { user: [1] } },
      refused(10002, / audience has no known key: user\. Use one of all, tag, alias, user_id, push_token\.$/),
    ),
    ...both(
      { ...good, message: { colour: 'red', 'a b': 1 } },
      refused(10002, / message has no known key: colour, a\?b\. Use one of type, title, body, /),
    ),
  ),
];
