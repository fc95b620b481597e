import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { applyBadge } from './badge.ts';
import { disconnectActionOf } from './disconnect-action.ts';
import { parseNotification, parseRecall } from './notification.ts';

/** Reads test vectors that all device clients share. */
const vectors = <T>(name: string): readonly T[] =>
  JSON.parse(readFileSync(new URL(`../../../sdks/test-vectors/${name}.json`, import.meta.url), 'utf8'));

const bytes = (text: string) => new TextEncoder().encode(text);

interface PayloadVector<T> {
  readonly name: string;
  readonly payload: string;
  readonly expected: T | null;
}

describe('shared test vectors', () => {
  test('notifications', () => {
    for (const { name, payload, expected } of vectors<PayloadVector<Record<string, unknown>>>('notifications')) {
      const parsed = parseNotification(bytes(payload));
      if (!expected || !parsed) {
        assert.equal(parsed ?? null, expected, name);
        continue;
      }
      const fields: Record<string, unknown> = { ...parsed, message_id: String(parsed.message_id) };
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, fields[key]])), expected, name);
    }
  });

  test('recalls', () => {
    for (const { name, payload, expected } of vectors<PayloadVector<string>>('recalls'))
      assert.equal(parseRecall(bytes(payload))?.message_id.toString() ?? null, expected, name);
  });

  test('badges', () => {
    for (const { current, change, expected } of vectors<{ current: number; change: string; expected: number }>(
      'badges',
    ))
      assert.equal(applyBadge(current, change), expected, `${current} ${change}`);
  });

  test('reconnects', () => {
    for (const { reason_code, expected } of vectors<{ reason_code: number | null; expected: string }>('reconnects'))
      assert.equal(disconnectActionOf(reason_code ?? undefined), expected, `${reason_code}`);
  });
});
