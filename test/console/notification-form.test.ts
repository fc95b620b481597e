import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { problems } from '#src/domain/problem.ts';
import { isRejected } from '../../console/src/pages/compose/is-rejected.ts';
import {
  emptyNotification,
  hasMoreFields,
  isBeginPast,
  isComplete,
  isMessageJson,
  toRequest,
} from '../../console/src/pages/compose/notification.ts';
import { warningsOf } from '../../console/src/pages/compose/warnings.ts';
import { isOutcomeUnknown } from '../../console/src/shared/send.ts';
import { CarillonError, CarillonUnreachable, type PushValidateResponse } from '../../sdk/src/index.ts';

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
    const fields = [{ imageUrl: 'https://example.com/a.png' }, { badge: '5' }, { more: '{}' }, { title: 'Hello' }];
    assert.deepEqual(
      fields.map((field) => hasMoreFields({ ...emptyNotification, ...field })),
      [true, true, true, false],
    );
  });

  test('is complete with the text that is sent, or as a data-only message', () => {
    const isCompleteWith = (more: string, title = '') => isComplete({ ...emptyNotification, title, more });
    assert.ok(isCompleteWith('{"type": "cmd", "ext": {"order": 7}}'));
    assert.ok(isCompleteWith('{"body": "Hello"}'));
    assert.ok(!isCompleteWith('{"ext": {"order": 7}}'));
    // The JSON replaces the title of the form.
    assert.ok(!isCompleteWith('{"title": ""}', 'Hello'));
    assert.deepEqual(toRequest({ ...emptyNotification, title: 'Form', more: '{"title": "JSON"}' }).message, {
      title: 'JSON',
    });
  });

  test('lists unknown fields and the texts of each channel as warnings, each once', () => {
    const cut = { channel: 'oppo', text: 'The text is cut.' };
    const reach = {
      ignored: ['message.colour'],
      cuts: [cut],
      demotions: [0, 1].map((environment) => ({ channel: 'vivo', environment, text: 'Two per day.' })),
    };
    assert.deepEqual(warningsOf(reach as unknown as PushValidateResponse), [
      { kind: 'ignored', field: 'message.colour' },
      { kind: 'channel', ...cut },
      { kind: 'channel', channel: 'vivo', text: 'Two per day.' },
    ]);
  });

  test('is rejected only because of its content, and may be accepted if the service fails or does not respond', () => {
    const codes = [...new Set(Object.values(problems).map(({ code }) => code))];
    const codesWith = (check: (error: unknown) => boolean) =>
      codes.filter((code) =>
        check(new CarillonError('/push/notify', '', { code, status: 200, retryAfterSeconds: undefined })),
      );
    assert.deepEqual(codesWith(isRejected), [10002, 12002, 12005, 12009, 12010]);
    assert.deepEqual(codesWith(isOutcomeUnknown), [50000, 50003]);
    const lost = new CarillonUnreachable('/push/notify', '');
    assert.deepEqual([isRejected(lost), isOutcomeUnknown(lost)], [false, true]);
  });
});
