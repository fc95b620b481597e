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

describe('what a phone maker is told', () => {
  test('is nothing when nothing is said, or only to others', () => {
    assert.deepEqual(optionsOf({}), none);
    assert.deepEqual(optionsOf({ honor: { sound: 'a', category: 'b' }, ios: { sound: 'c' } }), none);
  });

  test('is what is said for all phones, where its own object says nothing, field by field', () => {
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
    ['nothing is said', {}, {}, undefined],
    ['a page for all phones', { click_action: 'intent', intent: 'all' }, {}, 'all'],
    ['a page of its own', {}, { click_action: 'intent', intent: 'own' }, 'own'],
    ['two pages', { click_action: 'intent', intent: 'all' }, { click_action: 'intent', intent: 'own' }, 'own'],
    ['its own home page', { click_action: 'intent', intent: 'all' }, { click_action: 'open_app' }, undefined],
    ['a page beside a home page', {}, { click_action: 'open_app', intent: 'own' }, undefined],
    [
      'the home page for all, a page of its own',
      { click_action: 'open_app' },
      { click_action: 'intent', intent: 'own' },
      'own',
    ],
    ['a page that nobody asks for', { click_action: 'intent', intent: 'all' }, { intent: 'own' }, 'all'],
    ['pages that nobody asks for', { intent: 'all' }, { intent: 'own' }, undefined],
  ];
  for (const [what, android = {}, huawei = {}, page] of clicks)
    test(`opens ${page ?? 'the home page'}: ${what}`, () => {
      assert.equal(optionsOf({ android, huawei }).intent, page);
      if (Object.keys(huawei).length === 0) assert.equal(optionsOf({ android }).intent, page);
    });
});

test('a badge is set, or moved', () => {
  assert.deepEqual(badgeChange('0'), { set: 0 });
  assert.deepEqual(badgeChange('12'), { set: 12 });
  assert.deepEqual(badgeChange('007'), { set: 7 });
  assert.deepEqual(badgeChange('+1'), { add: 1 });
  assert.deepEqual(badgeChange('+0'), { add: 0 });
  assert.deepEqual(badgeChange('+999999999'), { add: 999_999_999 });
});
