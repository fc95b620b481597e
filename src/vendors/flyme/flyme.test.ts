import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Message } from '#src/domain/message.ts';
import { account, goldens, NOW, notification } from '../../../test/vendors/goldens/flyme.ts';
import type { VendorAccount } from '../vendor.ts';
import { flyme } from './flyme.ts';
import { signFlyme } from './signature.ts';

const path = '/garcia/api/server/push/varnished/pushByPushId';
const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
const ding: Partial<Message> = { title: 'Ding', body: 'dong' };
const credentialsOf = (change: Partial<VendorAccount> = {}) => flyme.toCredentials(account(change), undefined);

/** Returns the fields of a form, with `messageJson` parsed. */
function read({ body }: { body: string }) {
  const { messageJson = '', sign, ...rest } = Object.fromEntries(new URLSearchParams(body));
  return { ...rest, sign, messageJson: JSON.parse(messageJson) as Record<string, Record<string, unknown>> };
}

describe("Meizu's signature", () => {
  test("matches Meizu's own example", () => {
    const parameters = {
      appId: '10000',
      pushIds: 'RA50c6348036344485d01776773577c64740465480a6b',
      messageJson: '{"title":"title","content":"content","pushTimeInfo":{"offLine":1,"validTime":24}}',
    };
    assert.equal(signFlyme(parameters, '<APP_SECRET>'), 'ac076ff25d9900015a681cb5172aa53b');
  });

  test('matches an independently computed example and sorts the parameters by name', () => {
    const parameters = {
      pushIds: 'S5Qdemo1,S5Qdemo2',
      messageJson:
        '{"noticeBarInfo":{"noticeMsgType":1,"noticeBarType":0,"title":"Hello","content":"你好 world"},"clickTypeInfo":{"clickType":0},"pushTimeInfo":{"offLine":1,"validTime":24}}',
      appId: '100999',
    };
    assert.equal(signFlyme(parameters, 'demoMeizuSecret'), '70f1d0e4fe583e4d4e6de7d216dd8c7a');
  });
});

describe('a request to Meizu', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const input = notification(golden.message, golden.notification);
      const request = flyme.toRequest(input, ['t1', 't2'], credentialsOf(golden.account), NOW);
      const messageJson = JSON.stringify(golden.messageJson);
      const more = Object.entries(golden.more ?? {}).map(([name, value]) => `${name}=${value}`);
      const text = `appId=100999messageJson=${messageJson}pushIds=t1,t2${more.join('')}demoMeizuSecret`;
      const sign = createHash('md5').update(text).digest('hex');
      const form = { appId: '100999', pushIds: 't1,t2', messageJson, ...golden.more, sign };
      assert.deepEqual(request, { path, headers, body: new URLSearchParams(form).toString() });
    });
  }

  test('is identical for all devices of a slice except for the tokens', () => {
    const [first, second] = [
      { deviceId: 1n, badge: 3 },
      { deviceId: 2n, badge: 8 },
    ].map((change) => flyme.toRequest(notification(ding, change), ['t1'], credentialsOf(), NOW));
    assert.deepEqual(first, second);
  });

  test('has a notifyKey that Meizu accepts for every task', () => {
    const keys = Array.from({ length: 500 }, (_, index) => {
      const request = flyme.toRequest(notification(ding, { taskId: BigInt(index) }), ['t1'], credentialsOf(), NOW);
      return String(read(request).messageJson.advanceInfo?.notifyKey);
    });
    assert.ok(keys.every((key) => /^[0-9A-Za-z_-]{8}$/.test(key)));
    assert.equal(new Set(keys).size, 500);
  });

  test('shows nothing for a data-only message', () => {
    const request = flyme.toRequest(
      notification({ type: 'cmd', ...ding, big_text: 'x' }),
      ['t1'],
      credentialsOf(),
      NOW,
    );
    const { noticeBarInfo, noticeExpandInfo } = read(request).messageJson;
    assert.deepEqual([noticeBarInfo?.title, noticeBarInfo?.content, noticeExpandInfo], ['', '', undefined]);
  });

  test('reaches no device if it only checks the credentials', () => {
    const request = flyme.toCheckRequest?.(credentialsOf(), NOW);
    assert.ok(request);
    const { appId, pushIds, sign } = read(request) as Record<string, unknown>;
    assert.deepEqual([request.path, appId, pushIds], [path, '100999', 'nobody']);
    assert.match(String(sign), /^[0-9a-f]{32}$/);
    const reply = (body: object) => ({ status: 200, headers: {}, body: JSON.stringify(body) });
    const kindOf = (body: object) => flyme.toOutcomes(reply(body), ['nobody'])[0]?.kind;
    assert.equal(kindOf({ code: '200', value: { 110003: ['nobody'] } }), 'token-dead');
    assert.equal(kindOf({ code: '1006', message: '签名认证失败', value: '' }), 'locked-out');
  });
});

test('a Meizu account needs readable credentials, but no provider token', () => {
  assert.equal(flyme.tokenSource(account(), NOW), undefined);
  assert.throws(() => flyme.tokenSource(account({ certificate: 'no JSON' }), NOW));
});
