import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { huaweiOutcomes } from './outcomes.ts';

type Kind = VendorOutcome['kind'];

const tokens = ['t1', 't2', 't3'];
const requestId = '157000000000000000000006';
const outcomesOf = (status: number, body: unknown, headers = {}) =>
  huaweiOutcomes({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, tokens);

const accepted = { kind: 'accepted', channelMessageId: requestId } as const;
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);

/** HTTP status, expected kind, codes. */
const codes: readonly (readonly [number, Kind, string])[] = [
  [400, 'refused', '80100001 80100002 80100003 80100004 80100013 80100016 80100018 80100022'],
  [400, 'refused', '80300008 80300010 80300011 80300030'],
  [400, 'throttled', '80100017 80300029'],
  [401, 'stale-token', '80200001 80200003 80200005'],
  [400, 'locked-out', '80300002 80300013 80300036 80300037'],
  [400, 'token-dead', '80300007'],
  [500, 'unreachable', '80600003 81000001'],
];

describe('Huawei codes for a whole request', () => {
  for (const [status, kind, names] of codes) {
    for (const code of names.split(' ')) {
      // Huawei does not document the HTTP status of each code.
      for (const each of [status, 200]) {
        test(`${each} ${code}: ${kind}`, () => {
          const expected: VendorOutcome =
            kind === 'throttled'
              ? { kind, retryAfterSeconds: 5, account: true }
              : ({ kind, reason: code, ...(kind === 'token-dead' && { suspect: true }) } as VendorOutcome);
          assert.deepEqual(outcomesOf(each, { code, msg: 'x', requestId }), forAll(expected));
          assert.deepEqual(outcomesOf(each, { code: Number(code), msg: 'x', requestId }), forAll(expected));
        });
      }
    }
  }
});

describe('success', () => {
  test('applies to all tokens, with the request id', () => {
    assert.deepEqual(outcomesOf(200, { code: '80000000', msg: 'Success', requestId }), forAll(accepted));
    assert.deepEqual(outcomesOf(200, { code: 80_000_000, request_id: requestId }), forAll(accepted));
    assert.deepEqual(outcomesOf(200, { code: '80000000' }), forAll({ kind: 'accepted', channelMessageId: '' }));
  });

  test('that is partial accepts the tokens that are not listed as illegal', () => {
    const msg = JSON.stringify({ success: 2, failure: 1, illegal_tokens: ['t2', 'of another app'] });
    for (const code of ['80100000', 80_100_000])
      assert.deepEqual(outcomesOf(200, { code, msg, requestId }), [
        accepted,
        { kind: 'token-dead', reason: '80100000' },
        accepted,
      ]);
  });

  test('that is partial marks the tokens as suspect if all of them are listed as illegal', () => {
    const msg = JSON.stringify({ success: 0, failure: 3, illegal_tokens: tokens });
    const suspect = { kind: 'token-dead', reason: '80100000', suspect: true } as const;
    assert.deepEqual(outcomesOf(200, { code: '80100000', msg, requestId }), forAll(suspect));
  });

  test('that is partial is unclear for all tokens if the list of illegal tokens cannot be read', () => {
    const unclear = { kind: 'unreachable', reason: '80100000, and illegal_tokens cannot be read' } as const;
    for (const msg of [
      'Partial success',
      '{"success":2',
      '{"success":2}',
      '{"illegal_tokens":"t2"}',
      '[]',
      '',
      7,
      null,
    ])
      assert.deepEqual(outcomesOf(200, { code: '80100000', msg, requestId }), forAll(unclear), `${msg}`);
    assert.deepEqual(outcomesOf(200, { code: '80100000' }), forAll(unclear));
  });

  test('does not include code 80300007, which marks even a single token as suspect', () => {
    const body = JSON.stringify({ code: '80300007', msg: 'All the tokens are invalid' });
    assert.deepEqual(huaweiOutcomes({ status: 400, headers: {}, body }, ['t1']), [
      { kind: 'token-dead', reason: '80300007', suspect: true },
    ]);
  });
});

describe('unknown codes, classified by their prefix', () => {
  const families: readonly (readonly [number, string, Kind])[] = [
    [400, '80109999', 'refused'],
    [200, '80209999', 'stale-token'],
    [400, '80309999', 'refused'],
    [200, '80609999', 'unreachable'],
    [200, '81009999', 'unreachable'],
    [200, '89999999', 'unreachable'],
    [500, '80109999', 'unreachable'],
  ];
  for (const [status, code, kind] of families)
    test(`${status} ${code}: ${kind}`, () => {
      assert.deepEqual(outcomesOf(status, { code }), forAll({ kind, reason: code } as VendorOutcome));
    });
});

describe('HTTP status of responses without a Huawei code', () => {
  const statuses: readonly (readonly [number, Kind])[] = [
    [200, 'unreachable'],
    [302, 'unreachable'],
    [400, 'refused'],
    [401, 'stale-token'],
    [403, 'locked-out'],
    [404, 'locked-out'],
    [408, 'unreachable'],
    [413, 'refused'],
    [500, 'unreachable'],
    [502, 'unreachable'],
  ];
  const bodies = ['', '<html>', '{"code":"80000000"', '[]', 'null', '"80000000"', '{}', '{"code":null}', '{"code":{}}'];
  for (const [status, kind] of statuses)
    test(`${status}: ${kind}`, () => {
      for (const body of bodies)
        assert.deepEqual(outcomesOf(status, body), forAll({ kind, reason: `HTTP ${status}` } as VendorOutcome), body);
    });
});

describe('throttling', () => {
  for (const status of [429, 503])
    test(`results from status ${status} with any body and lasts for the time in Retry-After`, () => {
      const throttled = (retryAfterSeconds: number) =>
        forAll({ kind: 'throttled', retryAfterSeconds, account: true } as const);
      assert.deepEqual(outcomesOf(status, ''), throttled(5));
      assert.deepEqual(outcomesOf(status, { code: '81000001' }), throttled(5));
      assert.deepEqual(outcomesOf(status, '', { 'retry-after': '17' }), throttled(17));
    });
});
