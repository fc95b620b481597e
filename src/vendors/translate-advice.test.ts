import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VendorName } from '#src/domain/channel.ts';
import { vendorRegistry } from './registry.ts';
import { withAdvice } from './sender.ts';
import { translateAdvice } from './translate-advice.ts';

test('all advice is translated, and keeps the words of the vendor', () => {
  for (const [name, { advice }] of Object.entries(vendorRegistry))
    for (const code of Object.keys(advice)) {
      const stored = withAdvice(name as VendorName, `403 ${code}`);
      const chinese = translateAdvice(name as VendorName, stored, 'zh');
      assert.ok(chinese.startsWith(`403 ${code}：`), chinese);
      assert.match(chinese, /\p{Script=Han}/u);
      assert.equal(translateAdvice(name as VendorName, stored, 'en'), stored);
    }
});

test('a reason without advice stays as it is', () => {
  assert.equal(translateAdvice('oppo', '11: Invalid AuthToken', 'zh'), '11: Invalid AuthToken');
});
