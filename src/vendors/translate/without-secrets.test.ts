import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import { withoutSecrets } from './without-secrets.ts';

const account = {
  appSecret: 'q7+Rk/0vLm2&ZrT4',
  certificate: JSON.stringify({
    private_key_id: '0a1b2c3d4e5f60718293',
    private_key: '-----BEGIN\nMIIEvQIBADANBgkq\n',
  }),
};
const refused = (reason: string): Outcome => ({ kind: 'refused', reason });
const reasonsOf = (reasons: readonly string[], tokens?: readonly string[]) =>
  withoutSecrets(reasons.map(refused), account, tokens).map((outcome) => ('reason' in outcome ? outcome.reason : ''));

test('a secret that a vendor quotes is removed, also in parts and encoded', () => {
  const { appSecret } = account;
  const quotes = [
    appSecret,
    appSecret.slice(2, 12),
    encodeURIComponent(appSecret),
    Buffer.from(appSecret).toString('base64'),
    Buffer.from(appSecret).toString('hex'),
    '0a1b2c3d4e5f60718293',
    'MIIEvQIBADANBgkq',
  ];
  for (const quote of quotes)
    assert.deepEqual(reasonsOf([`key ${quote} is wrong`]), ['key [redacted] is wrong'], quote);
});

test('the vendor token of an outcome is removed from its reason', () => {
  const reasons = ['no 0123456789abcdef', 'no 456789abcd', 'no 0123456789abcdef'];
  const tokens = ['0123456789abcdef', '0123456789abcdef', 'fedcba9876543210'];
  assert.deepEqual(reasonsOf(reasons, tokens), ['no [redacted]', 'no [redacted]', 'no 0123456789abcdef']);
});

test('other outcomes are unchanged', () => {
  const outcomes: Outcome[] = [
    { kind: 'accepted', channelMessageId: account.appSecret },
    refused('10302 status 2'),
    refused('private_key is missing'),
    { kind: 'locked-out', reason: 'InvalidProviderToken' },
    { kind: 'throttled', retryAfterSeconds: 5 },
  ];
  const cleaned = withoutSecrets(outcomes, account);
  assert.deepEqual(cleaned, outcomes);
  for (const [i, outcome] of cleaned.entries()) assert.equal(outcome, outcomes[i]);
});

test('an empty secret removes nothing', () => {
  const [outcome] = withoutSecrets([refused('no token: 401 invalid_client')], { appSecret: '', certificate: '' });
  assert.deepEqual(outcome, refused('no token: 401 invalid_client'));
});
