import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { Redactor } from './redact.ts';

const SECRET = 'kX7+pQ/9vL2m&ZrT4=wB8nY1';

/** Every form in which a vendor could quote a secret. */
const quotedForms: Readonly<Record<string, string>> = {
  plain: SECRET,
  'in upper case': SECRET.toUpperCase(),
  hex: Buffer.from(SECRET).toString('hex'),
  'URL-encoded': encodeURIComponent(SECRET),
  base64: Buffer.from(SECRET).toString('base64'),
  base64url: Buffer.from(SECRET).toString('base64url'),
  'base64 with a user name': Buffer.from(`id:${SECRET}`).toString('base64'),
  'base64 after one character': Buffer.from(`x${SECRET}y`).toString('base64'),
  'the first half': SECRET.slice(0, 12),
  'the last ten characters': SECRET.slice(-10),
};

/** Returns the parts of a form with eight characters. */
const partsOf = (form: string): string[] =>
  Array.from({ length: form.length - 7 }, (_, i) => form.slice(i, i + 8).toLowerCase());

describe('a secret that the command knows', () => {
  for (const [name, form] of Object.entries(quotedForms))
    test(`is removed: ${name}`, () => {
      const redactor = new Redactor();
      redactor.addSecrets(SECRET);
      const text = redactor.redact(`The key ${form} is wrong.`).toLowerCase();
      // The characters at the ends of base64 also depend on the text next to the secret.
      const parts = name.startsWith('base64') ? partsOf(form).slice(4, -5) : partsOf(form);
      assert.deepEqual(
        parts.filter((part) => text.includes(part)),
        [],
      );
      assert.match(text, /^the key .*\[redacted\].* is wrong\.$/);
    });

  test('is removed even if it is short', () => {
    const redactor = new Redactor();
    redactor.addSecrets('live-1', '');
    assert.equal(redactor.redact('Token live-1 is invalid.'), 'Token [redacted] is invalid.');
  });

  test('leaves other texts unchanged', () => {
    const redactor = new Redactor();
    redactor.addSecrets(SECRET, randomBytes(32).toString('hex'));
    const text = 'Huawei accepted the notification at 2026-11-18T00:00:00Z. İ';
    assert.equal(redactor.redact(text), text);
  });
});

describe('a text of the vendor', () => {
  const redactor = new Redactor();
  redactor.addIdentifiers('com.example.carillon', '104400151');

  test('keeps words, codes, short numbers and times', () => {
    for (const text of [
      'BadDeviceToken',
      'UNREGISTERED message.token',
      'no token: 401 invalid_client',
      '10302 status 2',
      '80300007',
      'bad_regids',
      'until 2026-11-19T16:00:00.000Z',
      'retry after 60 s',
      'invalid_grant: Invalid JWT Signature.',
      'InvalidProviderToken: check the Key ID, the Team ID and the .p8 file.',
      '参数错误：regId 无效',
    ])
      assert.equal(redactor.redactVendorText(text), text);
  });

  test('loses identifiers of the app', () => {
    assert.equal(redactor.redactVendorText('App 104400151 is unknown'), 'App [redacted] is unknown');
    assert.equal(redactor.redactVendorText('com.example.carillon'), '[redacted]');
  });

  test('loses message IDs, tokens, keys and other values that can be secrets, even if they are unknown', () => {
    const values = [
      '5A0BF0F4-5B0A-4B0E-9C0B-0A1B2C3D4E5F',
      '0:1500415314455276%31bd1c9631bd1c96',
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl',
      randomBytes(20).toString('hex'),
      randomBytes(32).toString('base64'),
      '115258093993985',
      'ca_1a2b3c4d5e6f',
    ];
    for (const value of values) {
      const text = redactor.redactVendorText(`rejected: ${value}`);
      assert.match(text, /^rejected: .*\[redacted\]/);
      assert.deepEqual(
        partsOf(value).filter((part) => text.toLowerCase().includes(part)),
        [],
      );
    }
  });
});
