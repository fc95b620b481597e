import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecurityEvents } from './security-events.ts';

describe('security events', () => {
  const recordTo = (lines: unknown[]) => new SecurityEvents((event, fields) => void lines.push({ event, ...fields }));
  const MINUTE_MS = 60_000;

  test('of one address are limited, and the rest is counted at the end of the minute', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lines: unknown[] = [];
    const events = recordTo(lines);
    for (let i = 0; i < 1_000; i++) events.record('login-failed', { address: '198.51.100.1' });
    events.record('login-failed', { address: '198.51.100.2' });
    events.record('token-rejected', { address: '198.51.100.1' });
    assert.equal(lines.length, 5 + 1 + 1);
    t.mock.timers.tick(MINUTE_MS);
    assert.deepEqual(lines.slice(7), [
      {
        event: 'security-events-suppressed',
        suppressedEvent: 'login-failed',
        count: 995,
        addresses: [{ address: '198.51.100.1', count: 995 }],
      },
    ]);
    events.record('login-failed', { address: '198.51.100.1' });
    assert.equal(lines.length, 9, 'the next minute has new limits');
  });

  test('of many addresses are limited', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lines: unknown[] = [];
    const events = recordTo(lines);
    for (let i = 0; i < 100_000; i++)
      events.record('login-failed', { address: `2001:db8:${(i % 65_536).toString(16)}::1` });
    t.mock.timers.tick(MINUTE_MS);
    assert.equal(lines.length, 100 + 1);
    assert.partialDeepStrictEqual(lines.at(-1), { count: 99_900 });
  });

  test('of the addresses of one IPv6 network are counted together', () => {
    const lines: unknown[] = [];
    const events = recordTo(lines);
    for (let i = 0; i < 100; i++) events.record('login-failed', { address: `2001:db8::${i.toString(16)}` });
    assert.equal(lines.length, 5);
  });

  test('without an address are limited too', () => {
    const lines: unknown[] = [];
    const events = recordTo(lines);
    for (let i = 0; i < 100; i++) events.record('audit-chained', { auditId: 1n });
    assert.equal(lines.length, 5);
  });
});
