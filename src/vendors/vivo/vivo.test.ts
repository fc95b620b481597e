import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '#src/domain/message.ts';
import { account, goldens, headers, NOW, notification, usualBody } from '../../../test/vendors/goldens/vivo.ts';
import type { Notification } from '../vendor.ts';
import { vivo } from './vivo.ts';

const credentials = vivo.toCredentials(account(), 'granted');
const ding: Partial<Message> = { title: 'Ding', body: 'dong' };
const bodyOf = ({ body }: { body: string }) => JSON.parse(body) as Record<string, unknown>;

describe('a request to vivo for one device', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const own = vivo.toCredentials(account(golden.account), 'granted');
      const request = vivo.toRequest(notification(golden.message, golden.notification), ['t1'], own, NOW);
      assert.deepEqual({ ...request, body: bodyOf(request) }, { path: '/message/send', headers, body: golden.body });
    });
  }

  test('contains all digits of the AppID', () => {
    const long = vivo.toCredentials(account({ vendorAppId: '9007199254740993' }), 'granted');
    assert.match(vivo.toRequest(notification(ding), ['t1'], long, NOW).body, /^\{"appId":9007199254740993,/);
  });

  test('has the same id when it is retried and another id for another device', () => {
    const idOf = (token: string, change: Partial<Notification> = {}) =>
      bodyOf(vivo.toRequest(notification(ding, change), [token], credentials, NOW)).requestId as string;
    assert.equal(idOf('t1'), idOf('t1'));
    assert.notEqual(idOf('t1'), idOf('t2'));
    assert.notEqual(idOf('t1'), idOf('t1', { reference: '4503599627370497.1.10' }));
    assert.equal(idOf('t1', { reference: 'x'.repeat(64) }).length, 64);
  });

  test('has a notifyId that vivo accepts for every task', () => {
    for (const taskId of [0n, 1n, 2n ** 31n - 2n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 63n - 1n]) {
      const { notifyId } = bodyOf(vivo.toRequest(notification(ding, { taskId }), ['t1'], credentials, NOW));
      assert.ok(Number(notifyId) >= 1 && Number(notifyId) <= 2 ** 31 - 1, `${taskId}`);
    }
  });

  test('shows nothing for a data-only message', () => {
    const request = vivo.toRequest(notification({ type: 'cmd', ...ding }), ['t1'], credentials, NOW);
    const { title, content, clientCustomMap } = bodyOf(request) as Record<string, Record<string, unknown>>;
    assert.deepEqual([title, content, clientCustomMap?.title], ['', '', 'Ding']);
  });
});

describe('requests to vivo for several devices', () => {
  const saved = (change: Partial<Notification> = {}, own = credentials) => {
    const request = vivo.prepare?.toRequest(notification(ding, change), own, NOW);
    assert.ok(request);
    return { ...request, body: bodyOf(request) };
  };

  test('save the message first, for at least 15 minutes', () => {
    const { regId: _, ...shown } = usualBody;
    const body = { ...shown, requestId: '4503599627370497.1.9' };
    assert.deepEqual(saved(), { path: '/message/saveListPayload', headers, body });
    const soon = { notAfter: new Date(NOW.getTime() + 60_000) };
    assert.equal(saved(soon).body.timeToLive, 900);
  });

  test('then list the devices, with the task id as a string', () => {
    const request = vivo.toRequest(notification(ding), ['t1', 't2'], credentials, NOW, '342982232646905856');
    assert.deepEqual(request, {
      path: '/message/pushToList',
      headers,
      body: '{"appId":100001,"taskId":"342982232646905856","regIds":["t1","t2"],"requestId":"4503599627370497.1.9.9xu39aog7oVW"}',
    });
  });

  test('both set pushMode for a test message', () => {
    const own = vivo.toCredentials(account({ environment: 0 }), 'granted');
    assert.equal(saved({}, own).body.pushMode, 1);
    const list = vivo.toRequest(notification(ding), ['t1', 't2'], own, NOW, '7');
    assert.equal(bodyOf(list).pushMode, 1);
  });

  test('are identical for all devices of a slice except for the tokens', () => {
    assert.deepEqual(saved({ deviceId: 1n, badge: 3 }), saved({ deviceId: 2n, badge: 8 }));
  });
});
