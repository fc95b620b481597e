import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { harmonyOutcomes } from './outcomes.ts';

type Kind = VendorOutcome['kind'];

const tokens = ['t1', 't2', 't3'];
const requestId = '157000000000000000000006';
const outcomesOf = (status: number, body: unknown, headers = {}) =>
  harmonyOutcomes({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, tokens);

const accepted = { kind: 'accepted', channelMessageId: requestId } as const;
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);

/** HTTP status, expected kind, codes. */
const codes: readonly (readonly [number, Kind, string])[] = [
  [400, 'refused', '80100001 80100003 80100004 80100022 80300008 80300010 80300030'],
  [400, 'throttled', '80300029'],
  [401, 'stale-token', '80200001 80200005'],
  [400, 'locked-out', '80300002 80300036 80300037'],
  [500, 'unreachable', '81000001'],
];

describe('HarmonyOS codes for a whole request', () => {
  for (const [status, kind, names] of codes) {
    for (const code of names.split(' ')) {
      // Huawei does not document the HTTP status of each code.
      for (const each of [status, 200]) {
        test(`${each} ${code}: ${kind}`, () => {
          const expected =
            kind === 'throttled' ? { kind, retryAfterSeconds: 5, account: true } : { kind, reason: code };
          assert.deepEqual(outcomesOf(each, { code, msg: 'x', requestId }), forAll(expected as VendorOutcome));
          assert.deepEqual(outcomesOf(each, { code: Number(code), requestId }), forAll(expected as VendorOutcome));
        });
      }
    }
  }

  test('80000000: accepted for all tokens, with the request id', () => {
    assert.deepEqual(outcomesOf(200, { code: '80000000', msg: 'Success', requestId }), forAll(accepted));
    assert.deepEqual(outcomesOf(200, { code: 80_000_000 }), forAll({ kind: 'accepted', channelMessageId: '' }));
  });
});

describe('illegalTokens', () => {
  const reasons: readonly (readonly [string, Omit<VendorOutcome, 'reason'>])[] = [
    ['tokenFormatError', { kind: 'token-dead' }],
    ['tokenPlatformNotSupport', { kind: 'token-dead' }],
    ['noRight', { kind: 'token-dead', suspect: true } as Omit<VendorOutcome, 'reason'>],
    ['noPushTypeRight', { kind: 'refused' }],
    ['noRightToSendThisLiveNotificationEvent', { kind: 'refused' }],
    ['notSupportPlayVoice', { kind: 'refused' }],
    ['differentImgVerifyPolicy', { kind: 'refused' }],
    ['atomicUnableSendUnsubscribedMsg', { kind: 'refused' }],
    ['countryNotSupport', { kind: 'refused' }],
    ['appinfoError', { kind: 'locked-out' }],
    ['disableSendHuaweiMsgBecauseOfPenalty', { kind: 'locked-out' }],
    ['aReasonThatIsNewerThanThisTest', { kind: 'refused' }],
    ['toString', { kind: 'refused' }],
  ];
  for (const [reason, outcome] of reasons)
    test(`with the reason ${reason}: ${JSON.stringify(outcome)}, in part or for all tokens`, () => {
      for (const key of [reason, ` ${reason} `]) {
        const part = JSON.stringify({ success: 2, failure: 1, illegalTokens: { [key]: ['t2', 'another'] } });
        const expected = { reason, ...outcome } as VendorOutcome;
        assert.deepEqual(outcomesOf(200, { code: '80100000', msg: part, requestId }), [accepted, expected, accepted]);
        const all = JSON.stringify({ failure: 3, illegalTokens: { [key]: tokens } });
        assert.deepEqual(outcomesOf(400, { code: '80300007', msg: all, requestId }), forAll(expected));
      }
    });

  test('can contain several reasons', () => {
    const illegalTokens = { tokenFormatError: ['t1'], countryNotSupport: ['t3'], noRight: 'odd' };
    const msg = JSON.stringify({ success: 1, failure: 2, illegalTokens });
    assert.deepEqual(outcomesOf(200, { code: 80_100_000, msg, requestId }), [
      { kind: 'token-dead', reason: 'tokenFormatError' },
      accepted,
      { kind: 'refused', reason: 'countryNotSupport' },
    ]);
  });

  const unreadable = [
    'Partial success',
    '{"success":2',
    '{"illegalTokens":["t2"]}',
    '{}',
    '[]',
    '',
    7,
    null,
    undefined,
  ];

  test('that cannot be read make a partial success unclear for all tokens', () => {
    const unclear = { kind: 'unreachable', reason: '80100000, and illegalTokens cannot be read' } as const;
    for (const msg of unreadable)
      assert.deepEqual(outcomesOf(200, { code: '80100000', msg }), forAll(unclear), `${msg}`);
  });

  test('that cannot be read or lack a token make the token suspect if all tokens are rejected', () => {
    const suspect = { kind: 'token-dead', reason: '80300007', suspect: true } as const;
    for (const msg of unreadable)
      assert.deepEqual(outcomesOf(400, { code: '80300007', msg }), forAll(suspect), `${msg}`);
    const msg = JSON.stringify({ failure: 3, illegalTokens: { countryNotSupport: ['t1', 't2'] } });
    assert.deepEqual(outcomesOf(400, { code: '80300007', msg })[2], suspect);
  });

  test('limit the length of a reason', () => {
    const msg = JSON.stringify({ success: 2, failure: 1, illegalTokens: { ['x'.repeat(500)]: ['t1'] } });
    assert.deepEqual(outcomesOf(200, { code: '80100000', msg, requestId })[0], {
      kind: 'refused',
      reason: 'x'.repeat(64),
    });
  });
});

describe('unknown codes, classified by their prefix', () => {
  const families: readonly (readonly [number, string, Kind])[] = [
    [400, '80109999', 'refused'],
    [200, '80209999', 'stale-token'],
    [400, '80309999', 'refused'],
    [200, '80609999', 'unreachable'],
    [200, '89999999', 'unreachable'],
    [500, '80109999', 'unreachable'],
  ];
  for (const [status, code, kind] of families)
    test(`${status} ${code}: ${kind}`, () => {
      assert.deepEqual(outcomesOf(status, { code }), forAll({ kind, reason: code } as VendorOutcome));
    });
});

describe('HTTP status of responses without a code', () => {
  const statuses: readonly (readonly [number, Kind])[] = [
    [200, 'unreachable'],
    [400, 'refused'],
    [401, 'stale-token'],
    [403, 'locked-out'],
    [404, 'locked-out'],
    [408, 'unreachable'],
    [500, 'unreachable'],
    [502, 'unreachable'],
  ];
  for (const [status, kind] of statuses)
    test(`${status}: ${kind}`, () => {
      for (const body of ['', '<html>', '{"code":"80000000"', '[]', 'null', '{}', '{"code":null}'])
        assert.deepEqual(outcomesOf(status, body), forAll({ kind, reason: `HTTP ${status}` } as VendorOutcome), body);
    });

  for (const status of [429, 503])
    test(`${status}: throttled for the time in Retry-After, with any body`, () => {
      const throttled = (retryAfterSeconds: number) =>
        forAll({ kind: 'throttled', retryAfterSeconds, account: true } as const);
      assert.deepEqual(outcomesOf(status, ''), throttled(5));
      assert.deepEqual(outcomesOf(status, { code: '81000001' }), throttled(5));
      assert.deepEqual(outcomesOf(status, '', { 'retry-after': '17' }), throttled(17));
    });
});
