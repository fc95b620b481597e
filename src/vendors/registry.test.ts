import assert from 'node:assert/strict';
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { type VendorName, vendorFacts, vendorNames } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { vendorRegistry } from './registry.ts';
import type { CertificateInput } from './vendor.ts';

const NOW = new Date('2026-11-15T12:00:00Z');

const pem = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const rsa = pem(2_048);
const weak = pem(1_024);
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const p8 = ec.export({ type: 'pkcs8', format: 'pem' }).toString();

const account = {
  type: 'service_account',
  project_id: 'bells-1',
  private_key_id: 'k',
  private_key: rsa,
  client_email: 'push@bells-1.iam.gserviceaccount.com',
};
const fcmFile = (change: object = {}) => JSON.stringify({ ...account, ...change }, null, 2);
const huaweiFile = (change: object = {}) =>
  JSON.stringify({ key_id: 'k', sub_account: 's', private_key: rsa, ...change });

const harmonyFile = (change: object = {}) => huaweiFile({ project_id: '7361001', ...change });

const vapidPair = createECDH('prime256v1');
vapidPair.setPrivateKey(Buffer.from('0b'.repeat(32), 'hex'));
const vapidKeys = {
  appKey: vapidPair.getPublicKey('base64url'),
  appSecret: vapidPair.getPrivateKey('base64url'),
};

const threeFields = { vendorAppId: '1001', appKey: 'key-1', appSecret: 'canary-secret', certificate: '' };

/**
 * For each vendor: valid inputs, the stored values if they differ, and rejected inputs with the expected error text.
 */
interface VendorCases {
  readonly good: readonly CertificateInput[];
  readonly stored?: Partial<CertificateInput>;
  readonly bad: readonly (readonly [Partial<CertificateInput>, RegExp])[];
}

const optionalJsonCases = (...wrong: readonly (readonly [string, RegExp])[]): VendorCases['bad'] => [
  [{ certificate: 'canary-text' }, /must be empty or a JSON object/],
  [{ certificate: '["canary-list"]' }, /must be empty or a JSON object/],
  [{ certificate: '7' }, /must be empty or a JSON object/],
  [{ certificate: '{"__proto__": {"canary-name": 1}}' }, /must be empty or a JSON object/],
  ...wrong.map(([certificate, words]) => [{ certificate }, words] as const),
];

const casesByVendor: Readonly<Record<Exclude<VendorName, 'apns'>, VendorCases>> = {
  fcm: {
    good: [
      { vendorAppId: '', appKey: '', appSecret: '', certificate: fcmFile() },
      { vendorAppId: ' bells-1 ', appKey: 'old@example.com', appSecret: 'canary-secret', certificate: fcmFile() },
    ],
    stored: { vendorAppId: 'bells-1', appKey: account.client_email, appSecret: '' },
    bad: [
      [{ certificate: '' }, /service-account file/],
      [{ certificate: 'canary-text' }, /not JSON/],
      [{ certificate: '[]' }, /service-account file/],
      [{ certificate: fcmFile({ type: 'authorized_user' }) }, /type must be service_account/],
      [{ certificate: '{"project_info": {"project_id": "bells-1"}}' }, /google-services\.json/],
      [{ certificate: fcmFile({ private_key: undefined }) }, /private_key is missing/],
      [{ certificate: fcmFile({ private_key: 'canary-key' }) }, /private_key .* cannot be used/],
      [{ certificate: fcmFile({ private_key: p8 }) }, /private_key .* cannot be used/],
      [{ certificate: fcmFile({ private_key: weak }) }, /private_key .* cannot be used/],
      [{ certificate: fcmFile({ project_id: undefined }) }, /project_id in certificate is required/],
      [{ certificate: fcmFile({ project_id: 'bells\u0000' }) }, /project_id in certificate must be one word/],
      [{ certificate: fcmFile({ client_email: 7 }) }, /client_email in certificate is required/],
      [{ vendorAppId: 'other' }, /app_id must be empty or match project_id in the service account file \(bells-1\)/],
    ],
  },
  webpush: {
    good: [
      { vendorAppId: 'mailto:push@example.com', ...vapidKeys, certificate: '' },
      { vendorAppId: 'mailto:push@example.com', ...vapidKeys, certificate: '{"navigate": "https://example.com/"}' },
      { vendorAppId: 'https://example.com/contact', ...vapidKeys, certificate: '{}' },
    ],
    bad: [
      ...['', ' '].map((vendorAppId) => [{ vendorAppId }, /app_id is required: a mailto: or https: URL/] as const),
      ...['push@example.com', 'mailto:example.com', 'mailto:a@b@example.com', 'http://example.com', 'https://'].map(
        (vendorAppId) => [{ vendorAppId }, /app_id must be a contact for push services, such as mailto:/] as const,
      ),
      ...[
        'push@localhost',
        'push@bells.invalid',
        'push@bells.localhost',
        'push@bells',
        'push@10.0.0.1',
        'a@b.local',
      ].map((address) => [{ vendorAppId: `mailto:${address}` }, /Its domain must exist in public DNS/] as const),
      [{ vendorAppId: 'https://localhost/contact' }, /Its domain must exist/],
      [{ vendorAppId: 'https://10.0.0.1/contact' }, /Its domain must exist/],
      [{ vendorAppId: 'mailto:push@example.com two' }, /app_id must be one word/],
      [{ appSecret: '' }, /app_secret is required if app_key is set/],
      [{ appSecret: 'canary-secret' }, /app_secret must be a private P-256 key/],
      [{ appSecret: Buffer.alloc(32).toString('base64url') }, /app_secret must be a private P-256 key/],
      [{ appSecret: Buffer.alloc(32, 255).toString('base64url') }, /app_secret must be a private P-256 key/],
      [{ appSecret: Buffer.alloc(32, 1).toString('base64url') }, /app_key and app_secret are not a key pair/],
      ...optionalJsonCases(
        ['{"navigate": "http://example.com/"}', /navigate .* must be an https URL/],
        ['{"navigate": 7}', /navigate .* must be an https URL/],
        [`{"navigate": "https://example.com/${'x'.repeat(255)}"}`, /navigate .* at most 255 characters/],
      ),
    ],
  },
  huawei: {
    good: [
      { ...threeFields, appKey: '' },
      { ...threeFields, certificate: huaweiFile() },
      { ...threeFields, certificate: huaweiFile({ another: [1] }) },
      { ...threeFields, certificate: huaweiFile({ category: 'IM', importance: 'LOW' }) },
      { ...threeFields, certificate: '{"category": "IM", "importance": "NORMAL"}' },
      { ...threeFields, certificate: '{}' },
    ],
    bad: [
      [{ vendorAppId: '' }, /app_id is required: Huawei's App ID/],
      [{ appSecret: '' }, /app_secret is required: Huawei's App secret/],
      [{ appKey: 'two words' }, /app_key must be one word/],
      ...optionalJsonCases(
        ['{"key_id": "k"}', /private_key is missing/],
        ['{"sub_account": "s", "private_key": null}', /private_key is missing/],
        [huaweiFile({ key_id: undefined }), /key_id in certificate is required/],
        [huaweiFile({ sub_account: 'canary two' }), /sub_account in certificate must be one word/],
        ['{"importance": "HIGH"}', /importance .* must be LOW or NORMAL/],
        ['{"category": 7}', /category .* must be a string/],
        [huaweiFile({ private_key: weak }), /cannot be used/],
        [huaweiFile({ private_key: 'canary-key' }), /cannot be used/],
        [huaweiFile({ key_id: 7 }), /key_id in the JSON of certificate must be a string/],
      ),
    ],
  },
  harmony: {
    good: [
      { vendorAppId: '', appKey: '', appSecret: 'canary-secret', certificate: harmonyFile() },
      {
        vendorAppId: ' 7361001 ',
        appKey: '',
        appSecret: '',
        certificate: harmonyFile({ category: 'IM', receipt_id: 'r' }),
      },
    ],
    stored: { vendorAppId: '7361001', appSecret: '' },
    bad: [
      [{ certificate: '' }, /complete JSON of Huawei's service-account file/],
      [{ certificate: harmonyFile({ project_id: undefined }) }, /project_id in certificate is required/],
      [{ certificate: harmonyFile({ key_id: undefined }) }, /key_id in certificate is required/],
      [{ certificate: harmonyFile({ sub_account: 'canary two' }) }, /sub_account in certificate must be one word/],
      [{ certificate: harmonyFile({ private_key: undefined }) }, /private_key is missing/],
      [{ certificate: harmonyFile({ private_key: 'canary-key' }) }, /cannot be used/],
      [{ certificate: harmonyFile({ private_key: weak }) }, /cannot be used/],
      [{ certificate: harmonyFile({ private_key: p8 }) }, /cannot be used/],
      [{ certificate: harmonyFile({ category: 7 }) }, /category .* must be a string/],
      [{ certificate: harmonyFile({ receipt_id: 7 }) }, /receipt_id .* must be a string/],
      [{ vendorAppId: 'other' }, /app_id must be empty or match project_id in the service-account file \(7361001\)/],
      [{ appKey: 'two words' }, /app_key must be one word/],
      ...optionalJsonCases(),
    ],
  },
  honor: {
    good: [
      threeFields,
      { ...threeFields, certificate: '{"importance": "LOW"}' },
      { ...threeFields, certificate: '{}' },
    ],
    bad: [
      [{ vendorAppId: '' }, /app_id is required: Honor's App ID/],
      [{ appKey: '' }, /app_key is required: Honor's Client ID/],
      [{ appSecret: ' ' }, /app_secret is required: Honor's Client Secret, not the App Secret/],
      ...optionalJsonCases(
        ['{"importance": "HIGH"}', /importance .* must be LOW or NORMAL/],
        ['{"importance": 1}', /importance .* must be LOW or NORMAL/],
      ),
    ],
  },
  xiaomi: {
    good: [
      { ...threeFields, certificate: '{"package_names": ["com.a"]}' },
      {
        ...threeFields,
        certificate: ' {"package_names": ["com.a", "com.b"], "channel_id": "1", "template_id": null, "x": 1}',
      },
    ],
    bad: [
      [{ vendorAppId: '' }, /app_id is required: Xiaomi's AppID/],
      [{ appKey: '' }, /app_key is required: Xiaomi's AppKey/],
      [{ appSecret: '' }, /app_secret is required: Xiaomi's AppSecret/],
      [{ appSecret: 'canary\u00a0secret' }, /app_secret must be one word/],
      ...['', '{}', '{"package_names": []}', '{"package_names": [" "]}', '{"channel_id": "canary"}'].map(
        (certificate) => [{ certificate }, /such as \{"package_names": \["com\.example\.app"\]\}/] as const,
      ),
      ...optionalJsonCases(
        ['{"package_names": "com.a"}', /package_names .* must be a list of strings/],
        ['{"package_names": ["com.a", 1]}', /package_names .* must be a list of strings/],
        ['{"channel_id": 100123}', /channel_id .* must be a string in quotes/],
        ['{"template_id": {}}', /template_id .* must be a string/],
      ),
    ],
  },
  oppo: {
    good: [
      threeFields,
      {
        ...threeFields,
        certificate: '{"app_secret": "client", "channel_id": "c", "category": "IM", "notify_level": 16}',
      },
    ],
    bad: [
      [{ vendorAppId: '' }, /app_id is required: OPPO's AppID/],
      [{ appKey: '' }, /app_key is required: OPPO's AppKey/],
      [{ appSecret: '' }, /app_secret is required: OPPO's MasterSecret, not the AppSecret/],
      [{ certificate: '{"app_secret": "canary-secret "}' }, /are the same/],
      ...optionalJsonCases(
        ['{"app_secret": 7}', /app_secret in the JSON of certificate must be a string/],
        ['{"notify_level": 3}', /notify_level .* must be 1 or 2 or 16/],
        ['{"notify_level": "16"}', /notify_level/],
      ),
    ],
  },
  vivo: {
    good: [threeFields, { ...threeFields, certificate: '{"callback_id": "9", "category": "IM"}' }],
    bad: [
      [{ vendorAppId: '' }, /app_id is required: vivo's AppID/],
      [{ vendorAppId: 'app-1001' }, /app_id must consist of digits/],
      [{ vendorAppId: '١٠٠١' }, /app_id must be one word/],
      [{ appKey: '' }, /app_key is required: vivo's AppKey/],
      [{ appSecret: '' }, /app_secret is required: vivo's AppSecret/],
      ...optionalJsonCases(['{"callback_id": 9}', /callback_id/], ['{"category": ["IM"]}', /category/]),
    ],
  },
  flyme: {
    good: [
      threeFields,
      {
        ...threeFields,
        certificate: '{"receipt_access_token": "t", "vip": false, "notice_msg_type": 0, "package_names": []}',
      },
    ],
    bad: [
      [{ vendorAppId: '' }, /app_id is required: Meizu's AppId/],
      [{ vendorAppId: '1001x' }, /app_id must consist of digits/],
      [{ appKey: '' }, /app_key is required: Meizu's AppKey/],
      [{ appSecret: '' }, /app_secret is required: Meizu's AppSecret/],
      ...optionalJsonCases(
        ['{"receipt_access_token": 7}', /receipt_access_token/],
        ['{"vip": "yes"}', /vip .* must be true or false/],
        ['{"notice_msg_type": 2}', /notice_msg_type .* must be 0 or 1/],
        ['{"package_names": {}}', /package_names/],
      ),
    ],
  },
};

for (const [vendor, { good, stored, bad }] of Object.entries(casesByVendor) as [VendorName, VendorCases][]) {
  describe(`credentials for ${vendor}`, () => {
    test('are stored without an expiry time if they are valid', () => {
      for (const environment of [0, 1] as const) {
        for (const input of good)
          assert.deepEqual(vendorRegistry[vendor].checkCertificate(input, environment, NOW), {
            ...input,
            ...stored,
            expiresAt: null,
          });
      }
    });

    test('are stored without surrounding whitespace', () => {
      const [input = threeFields] = good;
      const spaced = { ...input, vendorAppId: ` ${input.vendorAppId}\n`, appSecret: `\t${input.appSecret} ` };
      const expected = { ...input, ...stored, expiresAt: null };
      assert.deepEqual(vendorRegistry[vendor].checkCertificate(spaced, 1, NOW), expected);
    });

    for (const [change, words] of bad) {
      test(`are rejected with ${JSON.stringify(change).slice(0, 60)}`, () => {
        let refusal: unknown;
        try {
          vendorRegistry[vendor].checkCertificate({ ...(good[0] ?? threeFields), ...change }, 1, NOW);
        } catch (error) {
          refusal = error;
        }
        assert.ok(refusal instanceof Problem, `not rejected: ${refusal}`);
        assert.equal(refusal.problem, 'bad-parameter');
        assert.match(refusal.message, words);
        assert.ok(!refusal.message.includes('canary'), 'the error quotes a secret');
        assert.equal(refusal.cause, undefined);
      });
    }
  });
}

describe('VAPID keys', () => {
  const check = (change: Partial<CertificateInput> = {}) => {
    const input = { vendorAppId: 'mailto:push@example.com', appKey: '', appSecret: '', certificate: '', ...change };
    return vendorRegistry.webpush.checkCertificate(input, 1, NOW);
  };

  test('are created if none are given, and are different each time', () => {
    const [first, second] = [check(), check()];
    assert.equal(Buffer.from(first.appKey, 'base64url').length, 65);
    assert.equal(Buffer.from(first.appSecret, 'base64url').length, 32);
    assert.notEqual(first.appSecret, second.appSecret);
    assert.deepEqual(check({ appKey: first.appKey, appSecret: first.appSecret }), first);
  });

  test('have all 32 bytes of a private key that starts with zeros', () => {
    const appSecret = Buffer.from('01'.padStart(64, '0'), 'hex').toString('base64url');
    assert.equal(check({ appSecret }).appSecret, appSecret);
  });

  test('need no public key, which follows from the private key', () => {
    assert.equal(check({ appSecret: vapidKeys.appSecret }).appKey, vapidKeys.appKey);
  });
});

describe('daily quotas', () => {
  const environments = (vendor: VendorName) => vendorRegistry[vendor].dailyQuota?.environments ?? [];

  test('exist at vendors that limit the messages of an app per day, or only its test messages', () => {
    for (const vendor of ['xiaomi', 'oppo', 'vivo', 'flyme'] as const) assert.deepEqual(environments(vendor), [0, 1]);
    for (const vendor of ['huawei', 'harmony', 'honor'] as const) assert.deepEqual(environments(vendor), [0]);
    for (const vendor of ['apns', 'fcm', 'webpush'] as const) assert.deepEqual(environments(vendor), []);
  });

  test('have known limits only for test messages', () => {
    const limits = Object.values(vendorRegistry).map(({ name, dailyQuota }) => [name, dailyQuota?.testLimits] as const);
    assert.deepEqual(Object.fromEntries(limits.filter(([, testLimits]) => testLimits)), {
      huawei: { '': 500 },
      harmony: { '': 1_000 },
      honor: { '': 1_000 },
      vivo: { operational: 100, system: 10_000 },
    });
  });

  test('end at midnight in Beijing', () => {
    for (const { dailyQuota } of Object.values(vendorRegistry))
      if (dailyQuota) assert.deepEqual(dailyQuota.endOfDay(NOW), new Date('2026-11-15T16:00:00Z'));
  });

  test('have several classes if the vendor classifies messages', () => {
    for (const [vendor, { dailyQuota, quotaClass }] of Object.entries(vendorRegistry))
      if (dailyQuota) assert.equal(dailyQuota.classes.length > 1, quotaClass !== undefined, vendor);
    const { dailyQuota, quotaClass } = vendorRegistry.vivo;
    const classes = [0, 1].map((classification) => quotaClass?.({ body: 'x', vivo: { classification } } as never, {}));
    assert.deepEqual(classes, dailyQuota?.classes);
  });
});

describe('client secret for the app', () => {
  const certificate = '{"app_secret": "client", "private_key": "canary"}';

  test('is the AppSecret of OPPO, which issues two secrets', () => {
    assert.equal(vendorRegistry.oppo.clientSecret?.(certificate), 'client');
    assert.equal(vendorRegistry.oppo.clientSecret?.('{"channel_id": "c"}'), '');
    assert.equal(vendorRegistry.oppo.clientSecret?.(''), '');
  });

  for (const vendor of vendorNames.filter((each) => each !== 'oppo')) {
    test(`is empty for ${vendor}`, () => {
      assert.equal(vendorRegistry[vendor].clientSecret, undefined);
    });
  }
});

for (const vendor of vendorNames)
  test(`vendorFacts states whether ${vendor} sends receipts`, () => {
    assert.equal(vendorFacts[vendor].sendsReceipts, vendorRegistry[vendor].receipts !== undefined);
  });
