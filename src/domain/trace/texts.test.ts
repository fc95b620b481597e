import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { channels } from '../channel.ts';
import { traceTexts } from './texts.ts';
import type { TraceTexts } from './texts-en.ts';
import { type TraceCode, traceCodes } from './trace-events.ts';

type Parameters<T> = T extends (...parameters: infer P) => string ? P : readonly [];
type Special = 'channelName' | 'joinSentences' | 'joinClauses' | 'vendorError' | 'events';

/** Parameters of each sentence. They must occur in every language. */
const samples: { readonly [K in Exclude<keyof TraceTexts, Special>]: Parameters<TraceTexts[K]> } = {
  acknowledged: [],
  acknowledgedThrough: ['NAME'],
  acceptedWithoutReceipts: ['NAME', '2026-11-15T00:00:01Z'],
  acceptedBeforeReceipt: ['NAME', '2026-11-15T00:00:01Z'],
  checkSettings: [],
  notificationsDenied: ['2026-11-15T00:00:01Z'],
  missingVendorTokens: ['2026-11-15T00:00:01Z', ['VENDOR']],
  lastSeen: ['2026-11-15'],
  neverAcknowledged: [],
  cancelling: [],
  loggedOut: ['2026-11-15'],
  loggedInAgain: ['2026-11-15T00:00:01Z'],
  beingSent: ['NAME'],
  aboutToBeSent: ['NAME'],
  rejectedSince: ['NAME', '2026-11-15T00:00:01Z', 'REASON'],
  unavailableSince: ['NAME', '2026-11-15T00:00:01Z', 'REASON'],
  channelPaused: ['2026-11-15T00:00:01Z'],
  checkCredentials: [],
  waitsForAcknowledgement: ['2026-11-15T00:00:01Z'],
  notAcceptedYet: ['NAME'],
  retries: ['2026-11-15T00:00:01Z', '2026-11-15T00:00:02Z'],
  displacedWhileWaiting: [],
  aboutToEnterInbox: [],
  waitsInInbox: ['2026-11-15T00:00:01Z', 'REASON'],
  notAcknowledgedYet: [],
  receivesWhenConnected: [],
  cancelledBefore: [],
  expiredInInboxUnseen: [],
  expiredBeforeAccepted: ['2026-11-15T00:00:01Z', 'NAME'],
  expiredBeforeSent: ['2026-11-15T00:00:01Z', 'NAME'],
  displacedUnseen: [],
  noChannel: ['REASON'],
  noOtherChannel: ['CLAUSE'],
  noOtherChannelBecause: ['CLAUSE', 'REASON'],
  rebind: [],
  tokenInvalidClause: ['NAME', 'DETAIL'],
  rejectedClause: ['NAME', 'DETAIL'],
  quotaClause: ['NAME'],
  unboundClause: ['NAME'],
  notAcceptedClause: ['NAME'],
  ackTimeoutClause: ['DETAIL'],
  notConnectedClause: [],
  expiredInInbox: [],
  newerEvent: ['CODE', 'DETAIL'],
  heldUntil: ['2026-11-15T00:00:01Z'],
  cancelledBeforeExpansion: [],
  notExpanded: [],
  noUser: ['2026-11-15'],
  neverLoggedIn: [],
  notLoggedIn: [],
  loggedInAfter: ['2026-11-15T00:00:01Z', '2026-11-15T00:00:02Z'],
  matchesOnlyNow: [],
  otherTags: [],
  otherAliases: [],
  otherUsers: [],
  otherPushTokens: [],
  limitedToGroup: [70_001n],
  onlyVendorsClause: [],
  notSeenClause: [30],
  onlyCarillonClause: [],
  noVendorTokenClause: [],
  noCredentialsClause: [],
  noVendorTriedClause: [],
  unsuitableVendorsClause: [],
};

/** Codes whose sentences name neither the channel nor the detail. */
const codesWithoutName: ReadonlySet<TraceCode> = new Set<TraceCode>([
  ...(['written', 'queued', 'no-answer', 'silent', 'no-session', 'in-inbox'] as const),
  ...(['displaced', 'logged-out', 'cancelled'] as const),
]);

describe('Chinese sentences of traces', () => {
  for (const [key, parameters] of Object.entries(samples))
    test(`${key} is Chinese, and has the parameters of the English sentence`, () => {
      const render = (language: 'en' | 'zh') => {
        const text = traceTexts[language][key as keyof typeof samples] as string | ((...values: unknown[]) => string);
        return typeof text === 'string' ? text : text(...parameters);
      };
      for (const parameter of parameters)
        for (const language of ['en', 'zh'] as const)
          assert.ok(render(language).includes(String(parameter)), `${render(language)} has no ${parameter}`);
      checkChinese(render('zh'), { isSentence: !key.endsWith('Clause') });
    });

  for (const code of traceCodes)
    test(`the event ${code} is Chinese`, () => {
      const text = traceTexts.zh.events[code]('NAME', 'DETAIL');
      checkChinese(text, { isSentence: true });
      assert.equal(text.includes('NAME'), !codesWithoutName.has(code), text);
      assert.equal(text.includes('DETAIL'), traceTexts.en.events[code]('NAME', 'DETAIL').includes('DETAIL'), text);
      checkChinese(traceTexts.zh.events[code]('NAME', null), { isSentence: true });
    });

  test('every channel has a name', () => {
    for (const channel of [...channels, 'none'] as const) assert.notEqual(traceTexts.zh.channelName(channel), '');
  });

  test("Carillon's own details are translated, and those of vendors are not", () => {
    const { throttled, silent, unreachable } = traceTexts.zh.events;
    assert.equal(throttled('华为', 'retry after 60 s'), '华为对请求限流：60 秒后重试。');
    assert.equal(silent('', '5 s'), '设备没有在 5 秒内确认通知。');
    assert.equal(unreachable('OPPO', 'no response in time'), 'OPPO 没有返回明确的响应：未及时响应。');
    assert.equal(unreachable('OPPO', 'constructor'), 'OPPO 没有返回明确的响应：constructor。');
    assert.equal(
      traceTexts.zh.events['quota-spent']('vivo', 'until 2026-11-16T00:00:00.000Z'),
      'vivo 的每日配额已用完：直到 2026-11-16T00:00:00.000Z。',
    );
  });
});

function checkChinese(text: string, { isSentence }: { readonly isSentence: boolean }): void {
  assert.match(text, /\p{Script=Han}/u);
  assert.doesNotMatch(text, /[a-z]+ [a-z]+ [a-z]+/, 'contains English words');
  assert.doesNotMatch(text, /undefined|null/);
  if (isSentence) assert.match(text, /。$/);
  else assert.doesNotMatch(text, /。/);
}
