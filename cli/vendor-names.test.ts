import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { vendors } from '../sdk/src/index.ts';
import { printChannel, printProvider, toProvider, vendorNames } from './vendor-names.ts';

describe('names of vendors', () => {
  test('are accepted as printed, as in the API, as displayed, and as numbers', () => {
    for (const [number, { name, displayName }] of Object.entries(vendors))
      for (const text of [number, name, displayName, displayName.toUpperCase(), printChannel(name)])
        assert.equal(toProvider(text), Number(number), text);
    for (const text of ['', '0', '11', 'apple', '1.0']) assert.equal(toProvider(text), undefined, text);
  });

  test('are printed with one name per vendor', () => {
    assert.deepEqual(
      [printProvider(4), printProvider(1), printProvider(99), printChannel('flyme'), printChannel('nativepush')],
      ['meizu (4)', 'apns (1)', '99', 'meizu', 'nativepush'],
    );
    assert.ok(!vendorNames.includes('flyme'));
  });
});
