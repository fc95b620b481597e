import { createAppCall, inApp } from './fixture-devices.ts';
import { tokens, users } from './fixtures.ts';
import { pushNotifyAudienceGroup } from './push-notify-audience.ts';
import { pushNotifyMessageGroup } from './push-notify-message.ts';
import { pushNotifyRuleGroup } from './push-notify-rules.ts';
import { pushNotifySettingGroup } from './push-notify-setting.ts';
import { pushNotifyVendorGroup } from './push-notify-vendors.ts';
import { type Call, type Case, type Expect, fromResponse, type Row, refused } from './row.ts';

const NOTIFY = '/push/notify';
const path = '/push/validate';

/** The rows of `/push/notify`, sent to `/push/validate`, because both accept and reject the same requests. */
const sameRows: readonly Row[] = [
  ...pushNotifyAudienceGroup,
  ...pushNotifySettingGroup,
  ...pushNotifyMessageGroup,
  ...pushNotifyVendorGroup,
  ...pushNotifyRuleGroup,
]
  .filter((row) => row.kind !== 'rule')
  .map((row) => ({
    ...row,
    path: row.path.replace(NOTIFY, path),
    rule: row.rule.includes(NOTIFY) ? row.rule.replace(NOTIFY, path) : `${path}: ${row.rule}`,
    cases: row.cases.map(validated),
  }));

function validated({ call, expect: { code, message } }: Case): Case {
  return { call: { ...call, path }, expect: { code, ...(message && { message }) } };
}

const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect): Row => ({
  rule: `${path}: ${sentence}`,
  path,
  kind: 'rule',
  cases: [{ before, call, expect }],
});

/** Returns calls that create an app with one user and one device, which no other row reads. */
const onePhone = (app: string): readonly Call[] => [
  createAppCall(app),
  inApp(app, '/admin/user/create', { user_id: 5 }),
  inApp(app, '/admin/user/token', { user_id: 5, device_guid: 'phone' }),
];
/** Adds a Huawei token and Huawei credentials with these settings to `onePhone`. */
const onHuawei = (app: string, certificate: object, environment = 1): readonly Call[] => [
  ...onePhone(app),
  inApp(app, '/admin/certificate/save', {
    ...{ provider: 2, name: 'Huawei', app_id: '1', app_secret: 's', check: false, environment },
    certificate: JSON.stringify(certificate),
  }),
  inApp(app, '/device/bind', {
    provider: 2,
    token: `of-${app}`,
    environment,
    push_token: fromResponse(2, 'push_token'),
  }),
];
const hello = { audience: 'all', message: { body: 'hello' } };
const saying = (text: RegExp): Expect => ({ code: 200, text });

export const pushValidateGroup: readonly Row[] = [
  ...sameRows,
  rule(
    'counts a device as waiting if the notification would wait on the Carillon channel',
    onePhone('validate-waiting'),
    inApp('validate-waiting', path, hello),
    saying(/"devices":1,.*"nativepush":1,.*"waiting":1,"unreachable":0,"cuts":\[\]/),
  ),
  rule(
    'counts a device as unreachable if no channel reaches it',
    onePhone('validate-none'),
    inApp('validate-none', path, { ...hello, setting: { distribution_strategy: 'ospush_only' } }),
    saying(/"devices":1,.*"nativepush":0,.*"waiting":0,"unreachable":1,"cuts":\[\]/),
  ),
  rule(
    'counts each device once, and no device outside the audience',
    onePhone('validate-once'),
    inApp('validate-once', path, { ...hello, audience: { user_id: [5, 5, 6] } }),
    saying(/"devices":1,/),
  ),
  rule(
    'resolves aliases like /push/notify',
    [
      ...onePhone('validate-ways'),
      inApp('validate-ways', '/device/tag', { add: ['news'], push_token: fromResponse(2, 'push_token') }),
      inApp('validate-ways', '/device/alias', { alias: 'five', push_token: fromResponse(2, 'push_token') }),
    ],
    inApp('validate-ways', path, { ...hello, audience: { alias: ['five', 'nobody'] } }),
    saying(/"devices":1,/),
  ),
  rule(
    'resolves tags like /push/notify',
    [
      ...onePhone('validate-tag'),
      inApp('validate-tag', '/device/tag', { add: ['news', 'more'], push_token: fromResponse(2, 'push_token') }),
    ],
    inApp('validate-tag', path, { ...hello, audience: { tag: ['news', 'more'] } }),
    saying(/"devices":1,/),
  ),
  rule(
    'limits a group admin to the members of the group',
    [...onePhone('validate-group'), inApp('validate-group', '/admin/group/create', { group_id: 9, name: 'nine' })],
    inApp('validate-group', path, hello, { headers: { group_id: '9' } }),
    saying(/"devices":0,/),
  ),
  rule(
    'reports demotions and caps by a vendor, and how to avoid them',
    onHuawei('validate-classless', {}),
    inApp('validate-classless', path, hello),
    saying(/"huawei":1,.*"demotions":\[{"channel":"huawei","environment":1,"text":"Neither .* huawei\.category .*"}\]/),
  ),
  rule(
    'previews the message of each channel that may be tried',
    onHuawei('validate-preview', { category: 'IM' }),
    inApp('validate-preview', path, { ...hello, message: { body: 'hello', android: { sound: 'bell' } } }),
    saying(
      /"previews":\[{"channel":"nativepush","environment":null,"devices":0,.*},{"channel":"huawei","environment":1,"devices":1,"title":"hello","body":"hello","big_text":null,"message_class":"IM","quota_class":null,"quota_spent_until":null,"quota_used":null,"quota_left":null,"dropped":\[\],"notes":\[\],"payload":".*<token>.*"}\]/,
    ),
  ),
  rule(
    'returns how many test messages the vendor still accepts',
    onHuawei('validate-quota', { category: 'IM' }, 0),
    inApp('validate-quota', path, hello),
    saying(/"channel":"huawei","environment":0,.*"quota_used":0,"quota_left":500,/),
  ),
  rule(
    'reports no demotion that the settings of the credentials prevent',
    onHuawei('validate-class', { category: 'IM' }),
    inApp('validate-class', path, hello),
    saying(/"huawei":1,.*"demotions":\[\]/),
  ),
  rule(
    'reports demotions caused by a message field that overrides the credentials',
    onHuawei('validate-own-class', { category: 'IM' }),
    inApp('validate-own-class', path, { ...hello, message: { body: 'hello', huawei: { category: 'MARKETING' } } }),
    saying(/"demotions":\[{"channel":"huawei","environment":1,"text":"The class of the message is MARKETING/),
  ),
  rule(
    'reports demotions for the environment in which a device is bound',
    onHuawei('validate-tests', {}, 0),
    inApp('validate-tests', path, hello),
    saying(/"demotions":\[{"channel":"huawei","environment":0,"text":"This is a test message/),
  ),
  rule(
    'reports no demotions by vendors that the message is not sent to',
    onHuawei('validate-native', {}),
    inApp('validate-native', path, { ...hello, setting: { distribution_strategy: 'nativepush_only' } }),
    saying(/"demotions":\[\]/),
  ),
  rule(
    'reports no demotions by vendors for which no device has a token',
    [
      ...onePhone('validate-unbound'),
      ...onHuawei('validate-unbound', {}).slice(onePhone('').length, onePhone('').length + 1),
    ],
    inApp('validate-unbound', path, hello),
    saying(/"demotions":\[\]/),
  ),
  rule(
    'a user can validate requests that they can send',
    [],
    { path, token: tokens.ann, body: { ...hello, audience: { user_id: [users.ann.userId] } } },
    { code: 200 },
  ),
  rule('a user cannot validate other requests: 10010', [], { path, token: tokens.ann, body: hello }, refused(10010)),
  rule('requires the push scope: 10010', [], { path, token: tokens.manage, body: hello }, refused(10010)),
];
