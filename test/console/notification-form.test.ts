import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  emptyNotification,
  isBeginPast,
  isComplete,
  isMessageJson,
  toRequest,
} from '../../console/src/pages/compose/notification.ts';

describe('the form of a notification', () => {
  test('builds a request with exact IDs and the idempotency key', () => {
    const id = '123456789012345678';
    const notification = { ...emptyNotification, audienceKind: 'user_id', values: [id], title: ' Hello ' } as const;
    assert.deepEqual(toRequest(notification, 'key'), {
      audience: { user_id: [BigInt(id)] },
      setting: { request_id: 'key' },
      message: { title: 'Hello' },
    });
    // A start time that has passed by mistake must not prevent the undo.
    const begin = '2026-11-20T10:00';
    assert.deepEqual(toRequest({ ...notification, begin }, 'key', 30).setting, { request_id: 'key', hold_seconds: 30 });
    assert.deepEqual(
      ['', '2020-01-01T00:00', '2999-01-01T00:00'].map((time) => isBeginPast({ ...notification, begin: time })),
      [false, true, false],
    );
    assert.ok(isComplete(notification));
    assert.ok(!isComplete({ ...notification, values: [] }));
    assert.ok(!isComplete({ ...notification, title: ' ' }));
  });

  test('builds a request with an image, an expiry, and fields that are entered as JSON', () => {
    const notification = {
      ...emptyNotification,
      title: 'Hello',
      badge: '+2',
      imageUrl: 'https://example.com/a.png ',
      end: '2026-11-20T10:00',
      more: '{"ext": {"order": 123456789012345678}, "android": {"channel_id": "orders"}}',
    };
    assert.deepEqual(toRequest(notification).message, {
      title: 'Hello',
      type: 'image',
      attachment_url: 'https://example.com/a.png',
      badge: '+2',
      show_end_time: BigInt(new Date(2026, 10, 20, 10).getTime() / 1000),
      ext: { order: 123456789012345678n },
      android: { channel_id: 'orders' },
    });
    assert.deepEqual(['', ' ', '{}', '[]', '{', '1', 'null'].filter(isMessageJson), ['', ' ', '{}']);
  });
});
