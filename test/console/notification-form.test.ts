import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { problems } from '#src/domain/problem.ts';
import { chosenUserOf } from '../../console/src/pages/compose/chosen-user.ts';
import { isRejected } from '../../console/src/pages/compose/is-rejected.ts';
import {
  emptyNotification,
  hasMoreFields,
  isBeginPast,
  isComplete,
  isIntent,
  isMessageJson,
  toRequest,
} from '../../console/src/pages/compose/notification.ts';
import { warningsOf } from '../../console/src/pages/compose/warnings.ts';
import { isOutcomeUnknown, needsApproval } from '../../console/src/shared/send.ts';
import {
  type AdminLookupResponse,
  CarillonError,
  CarillonUnreachable,
  type PushValidateResponse,
} from '../../sdk/src/index.ts';

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
    const fields = [
      { imageUrl: 'https://example.com/a.png' },
      { badge: '5' },
      { bigText: 'Long' },
      { more: '{}' },
      { title: 'Hi' },
    ];
    assert.deepEqual(
      fields.map((field) => hasMoreFields({ ...emptyNotification, ...field })),
      [true, true, true, true, false],
    );
  });

  test('opens a page on Android, unless the JSON sets another action', () => {
    const intent = 'intent:#Intent;component=com.example/.Orders;S.id=7;end';
    const androidWith = (more: string, page = ` ${intent} `) =>
      toRequest({ ...emptyNotification, title: 'Hello', bigText: ' Long ', intent: page, more }).message.android;
    assert.deepEqual(androidWith(''), { click_action: 'intent', intent });
    assert.deepEqual(androidWith('{"android": {"sound": "bell"}}'), { click_action: 'intent', intent, sound: 'bell' });
    assert.equal(androidWith('{"android": {"click_action": "open_app"}}')?.click_action, 'open_app');
    assert.equal(androidWith('{"android": 7}') as unknown, 7);
    assert.equal(androidWith('{}', ''), undefined);
    const invalid = [
      'https://example.com',
      'intent:#Intent;action=a;end',
      `${intent}x`,
      intent.replace('7', '7'.repeat(4_096)),
    ];
    assert.deepEqual(['', intent, `${intent}\n`, ...invalid].map(isIntent), [
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    assert.equal(toRequest({ ...emptyNotification, bigText: ' Long ' }).message.big_text, 'Long');
    assert.ok(isComplete({ ...emptyNotification, bigText: 'Long' }));
  });

  test('finds the user who gets a test, and prefers a user ID', () => {
    const match = (matched: string, user_id: bigint, kind = 'user') => ({ kind, matched, user_id });
    const found = (...matches: object[]) => chosenUserOf(matches as unknown as AdminLookupResponse['list']);
    assert.deepEqual(found(), { kind: 'none' });
    assert.deepEqual(found(match('device_guid', 7n, 'device')), { kind: 'none' });
    assert.deepEqual(found(match('mobile', 7n), match('task_id', 7n, 'task')), { kind: 'one', userId: '7' });
    assert.deepEqual(found(match('name', 7n), match('alias', 8n)), { kind: 'several' });
    assert.deepEqual(found(match('alias', 8n), match('user_id', 7n)), { kind: 'one', userId: '7' });
  });

  test('needs an approval above the number of devices of the app, or if not all devices are counted', () => {
    const needs = (approvalAbove: bigint | null, incomplete = false) =>
      [5n, 6n].map((devices) => needsApproval(approvalAbove, { devices, incomplete }));
    assert.deepEqual(
      [needs(null), needs(5n)],
      [
        [false, false],
        [false, true],
      ],
    );
    assert.deepEqual(
      [needs(null, true), needs(5n, true)],
      [
        [false, false],
        [true, true],
      ],
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
    // Nothing was sent yet.
    assert.ok(!isOutcomeUnknown(new CarillonUnreachable('/admin/lookup', '')));
  });
});
