import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  channels,
  extraChannels,
  sequenceWords,
  specifiedChannels,
  vendorByProvider,
  vendorFacts,
  vendorNames,
} from './channel.ts';

describe('vendor facts', () => {
  test('number the vendors from 1 without gaps, because the API accepts that range', () => {
    const providers = Object.values(vendorFacts).map(({ provider }) => provider);
    assert.deepEqual(
      providers.sort((a, b) => a - b),
      providers.map((_, index) => index + 1),
    );
    assert.deepEqual(Object.values(vendorByProvider).sort(), vendorNames);
  });

  test('give no two vendors the same word in ospush_sequence', () => {
    const words = Object.values(vendorFacts).flatMap((facts) => ('sequenceWord' in facts ? [facts.sequenceWord] : []));
    assert.deepEqual(sequenceWords, ['ups', ...words]);
  });

  test('keep the nine channels of the specification apart from the others', () => {
    assert.deepEqual(specifiedChannels, 'apns fcm flyme honor huawei nativepush oppo vivo xiaomi'.split(' '));
    assert.deepEqual(extraChannels, ['harmony', 'webpush']);
    assert.deepEqual([...specifiedChannels, ...extraChannels].sort(), channels);
  });
});
