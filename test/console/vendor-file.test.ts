import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { FILE_BYTES_MAX, readVendorFile } from '../../console/src/pages/credentials/vendor-file.ts';
import {
  type FormValues,
  toFormValues,
  toSaveRequest,
  type VendorChannel,
} from '../../console/src/pages/credentials/vendor-forms.ts';

const P8 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const GOOGLE = { type: 'service_account', project_id: 'shop', private_key: 'key', client_email: 'push@example.com' };
const HUAWEI = { project_id: '7', private_key: 'key', key_id: 'k', sub_account: 's' };
const AGCONNECT = {
  agcgw: {},
  client: { app_id: '100', client_secret: 'secret of another service' },
  app_info: { app_id: '100' },
};
const empty: FormValues = {
  app_id: '',
  app_key: '',
  app_secret: '',
  certificate: '',
  packages: '',
  name: 'x',
  perSecond: '',
};

const read = (channel: VendorChannel, content: object | string, name = 'file.json') =>
  readVendorFile(channel, name, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)));

describe('files of vendors', () => {
  test('fill the form', () => {
    assert.deepEqual(read('apns', P8 as string, 'AuthKey_ABC123DEFG.p8'), {
      values: { certificate: P8, app_key: 'ABC123DEFG' },
    });
    assert.deepEqual(read('fcm', GOOGLE), { values: { certificate: JSON.stringify(GOOGLE) } });
    assert.deepEqual(read('harmony', HUAWEI), { values: { certificate: JSON.stringify(HUAWEI) } });
    assert.deepEqual(read('huawei', AGCONNECT), { values: { app_id: '100' }, note: 'agconnectSecret' });
    assert.deepEqual(read('webpush', { publicKey: 'a', privateKey: 'b' }), {
      values: { app_key: 'a', app_secret: 'b' },
    });
    const p12 = Uint8Array.of(0x30, 0x82, 0xff, 0xfe);
    assert.deepEqual(readVendorFile('apns', 'push.p12', p12), {
      values: { certificate: Buffer.from(p12).toString('base64'), app_key: '' },
      note: 'p12Passphrase',
    });
  });

  test('are explained if they belong to another vendor or are not credentials', () => {
    const problems = [
      [read('fcm', { project_info: {}, client: [] }), 'googleServices'],
      [read('fcm', HUAWEI), 'huaweiAccount'],
      [read('fcm', { type: 'service_account' }), 'incomplete'],
      [read('fcm', P8 as string), 'appleKey'],
      [read('fcm', 'not JSON'), 'notJson'],
      [read('fcm', '[]'), 'notJson'],
      [read('harmony', AGCONNECT), 'agconnect'],
      [read('huawei', GOOGLE), 'googleAccount'],
      [read('apns', GOOGLE), 'notApns'],
      [read('apns', '-----BEGIN CERTIFICATE-----\n'), 'noPrivateKey'],
      [readVendorFile('apns', 'push.cer', Uint8Array.of(0x30, 0x82, 0xff)), 'noPrivateKey'],
      [read('apns', '-----BEGIN ENCRYPTED PRIVATE KEY-----\n'), 'encryptedKey'],
      [read('webpush', {}), 'unknown'],
      [readVendorFile('apns', 'movie', new Uint8Array(FILE_BYTES_MAX + 1)), 'tooLarge'],
    ] as const;
    for (const [result, problem] of problems) assert.deepEqual(result, { problem });
  });
});

describe('the request of the credentials form', () => {
  test('contains the packages of Xiaomi in the settings, and the form shows them as before', () => {
    const values = { ...empty, app_id: ' 1 ', packages: 'com.a, com.b', certificate: '{"channel_id":"5"}' };
    const request = toSaveRequest('xiaomi', 1, values);
    assert.deepEqual(request, {
      provider: 3,
      environment: 1,
      name: 'x',
      app_id: '1',
      certificate: '{"channel_id":"5","package_names":["com.a","com.b"]}',
    });
    const saved = { app_id: '1', app_key: '', app_secret: '', certificate: request?.certificate ?? '' };
    assert.deepEqual(toFormValues('xiaomi', saved), {
      ...saved,
      packages: 'com.a, com.b',
      certificate: values.certificate,
    });
  });

  test('is missing while the settings are not a JSON object', () => {
    assert.equal(toSaveRequest('vivo', 1, { ...empty, certificate: '{"category":' }), undefined);
    assert.equal(toSaveRequest('vivo', 1, { ...empty, certificate: '[]' }), undefined);
    assert.deepEqual(toSaveRequest('vivo', 0, { ...empty, perSecond: '20' }), {
      provider: 5,
      environment: 0,
      name: 'x',
      per_second: 20,
    });
  });
});
