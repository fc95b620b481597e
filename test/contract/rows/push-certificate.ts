import { apps, groups, tokens, users } from './fixtures.ts';
import { type Expect, ok, type Row, refused, row } from './row.ts';

const path = '/push/certificate';
const call = (query: string, token: string | null = tokens.admin, headers: Record<string, string> = {}) => ({
  method: 'GET',
  path,
  query,
  token,
  headers,
});
const queries = (kind: Row['kind'], about: string, rule: string, texts: readonly string[], expect: Expect): Row => ({
  rule: `${path} ${about} ${rule}`,
  path: `${path} ${about}`,
  kind,
  cases: texts.map((text) => ({ call: call(text), expect })),
});
const named = (name: string): Expect => ({ code: 200, data: { name } });

const providers = [
  [1, 'APNs', 'APNs'],
  [2, 'Huawei', 'huawei production'],
  [3, 'Xiaomi', 'xiaomi production'],
  [4, 'Meizu', 'flyme production'],
  [5, 'vivo', 'vivo production'],
  [6, 'OPPO', 'oppo production'],
  [7, 'FCM', 'fcm production'],
  [8, 'Honor', 'honor production'],
  [9, 'HarmonyOS', 'harmony production'],
  [10, 'Web Push', 'webpush production'],
] as const;

const whole = {
  app_id: 'xiaomi app id',
  app_key: 'xiaomi app key',
  app_secret: 'xiaomi secret',
  certificate: 'xiaomi certificate',
  name: 'xiaomi production',
};
const withoutSecrets = { ...whole, app_secret: '', certificate: '' };
const withSecrets: Expect = { code: 200, data: whole, headers: { 'cache-control': /^no-store$/ } };

const rule = (about: string, sentence: string, request: ReturnType<typeof call>, expect: Expect) =>
  row('rule', `${path} ${about}`, sentence, request, expect);

export const pushCertificateGroup: readonly Row[] = [
  ...providers.map(([provider, vendor, name]) =>
    queries('legal', 'query.provider', `accepts ${provider} for ${vendor}`, [`provider=${provider}`], named(name)),
  ),
  queries(
    'blank',
    'query.provider',
    'must not be blank',
    ['', 'provider', 'provider=', 'provider=%20%20'],
    refused(10002, /provider/),
  ),
  queries(
    'illegal',
    'query.provider',
    'rejects a number that is not assigned to a vendor: 10002',
    ['provider=0', 'provider=100', 'provider=-1'],
    refused(10002),
  ),
  queries(
    'illegal',
    'query.provider',
    'rejects values that are not an int32: 10002',
    [
      'provider=apns',
      'provider=1.5',
      'provider=true',
      'provider=[1]',
      'provider=2147483649',
      'provider=9223372036854775808',
    ],
    refused(10002),
  ),
  queries(
    'illegal',
    'query.provider',
    'rejects two values: 10002',
    ['provider=1&provider=2', 'provider=1&provider=1'],
    refused(10002),
  ),
  queries(
    'legal',
    'query.environment',
    'accepts 0 for development',
    ['provider=2&environment=0'],
    named('huawei development'),
  ),
  queries(
    'legal',
    'query.environment',
    'accepts 1 for production',
    ['provider=2&environment=1'],
    named('huawei production'),
  ),
  queries(
    'blank',
    'query.environment',
    'defaults to 1 for every kind of blank value',
    ['provider=2', 'provider=2&environment', 'provider=2&environment=', 'provider=2&environment=%20%20'],
    named('huawei production'),
  ),
  queries(
    'illegal',
    'query.environment',
    'rejects values other than 0 and 1: 10002',
    ['2', '-1', '0.5', 'production', 'false', '2147483648'].map((text) => `provider=2&environment=${text}`),
    refused(10002),
  ),
  queries(
    'illegal',
    'query.environment',
    'rejects two values: 10002',
    ['provider=2&environment=0&environment=1'],
    refused(10002),
  ),
  rule(
    'query',
    'credentials of another environment are not found: 12007',
    call('provider=3&environment=0'),
    refused(12007),
  ),
  rule(
    'query',
    'credentials of another app are not found: 12007',
    { ...call('provider=3', tokens.otherAdmin), ...{ app: apps.other } },
    refused(12007),
  ),
  rule('query', 'unknown query parameters are ignored', call('provider=3&colour=red&environment=1'), ok),
  rule(
    '',
    'an admin token with all scopes receives the complete credentials with cache-control no-store',
    call('provider=3'),
    withSecrets,
  ),
  rule(
    '',
    'an admin token with the secrets scope receives the complete credentials',
    call('provider=3', tokens.secrets),
    withSecrets,
  ),
  rule(
    '',
    'an admin token without the secrets scope receives no credentials: 10010',
    call('provider=3', tokens.push),
    refused(10010),
  ),
  rule(
    '',
    'an admin token without scopes receives no credentials: 10010',
    call('provider=3', tokens.scopeless),
    refused(10010),
  ),
  rule(
    '',
    'an admin token keeps its own permissions when it acts on behalf of a user',
    call('provider=3', tokens.secrets, { user_id: users.ann.userId.toString() }),
    withSecrets,
  ),
  rule(
    '',
    'a group admin also requires the secrets scope: 10010',
    call('provider=3', tokens.push, { group_id: groups.choir.toString() }),
    refused(10010),
  ),
  rule(
    '',
    'a group admin with the secrets scope receives the complete credentials',
    call('provider=3', tokens.secrets, { group_id: groups.choir.toString() }),
    withSecrets,
  ),
  rule('', 'a user token receives the same five fields with empty secrets', call('provider=3', tokens.ann), {
    code: 200,
    data: withoutSecrets,
  }),
  rule(
    '',
    'a user token also receives an error if the credentials do not exist: 12007',
    call('provider=3&environment=0', tokens.ann),
    refused(12007),
  ),
  rule('', 'credentials require a token: 10003', call('provider=3', null), refused(10003)),
];
