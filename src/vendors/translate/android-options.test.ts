import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '#src/domain/message.ts';
import { androidOptions, badgeChange } from './android-options.ts';

const message = (change: Partial<Message>): Message => ({ type: 'text', badge: '+1', ...change });
const optionsOf = (change: Partial<Message>) => {
  const { sound, channel_id, intent, category, badge_class } = androidOptions(message(change), 'huawei');
  return { sound, channel_id, intent, category, badge_class };
};
const none = {
  sound: undefined,
  channel_id: undefined,
  intent: undefined,
  category: undefined,
  badge_class: undefined,
};

describe('options for one vendor', () => {
  test('are empty if the message sets none, or only those of other vendors', () => {
    assert.deepEqual(optionsOf({}), none);
    assert.deepEqual(optionsOf({ honor: { sound: 'a', category: 'b' }, ios: { sound: 'c' } }), none);
  });

  test('come from android, overridden field by field by the vendor object', () => {
    const android = { sound: 'all', channel_id: 'all' };
    assert.deepEqual(optionsOf({ android }), { ...none, ...android });
    assert.deepEqual(optionsOf({ android, huawei: { channel_id: 'own', category: 'IM', badge_class: 'Main' } }), {
      ...none,
      sound: 'all',
      channel_id: 'own',
      category: 'IM',
      badge_class: 'Main',
    });
  });

  const clicks: readonly (readonly [string, Message['android'], Message['android'], string | undefined])[] = [
    ['no click action', {}, {}, undefined],
    ['a page in android', { click_action: 'intent', intent: 'all' }, {}, 'all'],
    ['a page in the vendor object', {}, { click_action: 'intent', intent: 'own' }, 'own'],
    [
      'a page in both objects',
      { click_action: 'intent', intent: 'all' },
      { click_action: 'intent', intent: 'own' },
      'own',
    ],
    [
      'open_app in the vendor object',
      { click_action: 'intent', intent: 'all' },
      { click_action: 'open_app' },
      undefined,
    ],
    ['a page next to open_app', {}, { click_action: 'open_app', intent: 'own' }, undefined],
    [
      'open_app in android, a page in the vendor object',
      { click_action: 'open_app' },
      { click_action: 'intent', intent: 'own' },
      'own',
    ],
    [
      'a page in the vendor object without click_action',
      { click_action: 'intent', intent: 'all' },
      { intent: 'own' },
      'all',
    ],
    ['pages without click_action', { intent: 'all' }, { intent: 'own' }, undefined],
  ];
  for (const [what, android = {}, huawei = {}, page] of clicks)
    test(`opens ${page ?? 'the home page'}: ${what}`, () => {
      assert.equal(optionsOf({ android, huawei }).intent, page);
      if (Object.keys(huawei).length === 0) assert.equal(optionsOf({ android }).intent, page);
    });
});

test('a badge change sets a number or adds to it', () => {
  assert.deepEqual(badgeChange('0'), { set: 0 });
  assert.deepEqual(badgeChange('12'), { set: 12 });
  assert.deepEqual(badgeChange('007'), { set: 7 });
  assert.deepEqual(badgeChange('+1'), { add: 1 });
  assert.deepEqual(badgeChange('+0'), { add: 0 });
  assert.deepEqual(badgeChange('+999999999'), { add: 999_999_999 });
});
