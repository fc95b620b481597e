import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { ClockGuard } from './clock-guard.ts';

const HOUR_MS = 3_600_000;

/** A guard whose database clock is ahead of the monotonic clock by `aheadMs`. */
class Fixture {
  readonly events: string[] = [];
  readonly guard: ClockGuard;
  aheadMs = 0;
  #monotonicMs = 0;

  constructor() {
    const record = (event: string) => void this.events.push(event);
    const log: Log = {
      debug: record,
      info: record,
      warn: record,
      error: record,
      security: () => undefined,
      with: () => log,
    };
    this.guard = new ClockGuard(new DatabaseClock(), log);
  }

  /** Reads the clock once a second. Returns whether work may be claimed at the end. */
  run(seconds: number): boolean {
    for (let i = 0; i < seconds; i++) {
      this.#monotonicMs += 1_000;
      this.guard.observe(new Date(Date.UTC(2026, 10, 17) + this.#monotonicMs + this.aheadMs), this.#monotonicMs);
    }
    return !this.guard.hasJumped;
  }
}

for (const [direction, jumpMs] of [
  ['forwards', HOUR_MS],
  ['backwards', -HOUR_MS],
] as const) {
  test(`a jump ${direction} stops claims until the clock has its expected value again`, () => {
    const fixture = new Fixture();
    assert.ok(fixture.run(5));
    fixture.aheadMs = jumpMs;
    assert.ok(!fixture.run(30));
    fixture.aheadMs = 0;
    assert.ok(fixture.run(1));
    assert.deepEqual(fixture.events, ['clock-jumped', 'clock-stable']);
  });

  test(`a jump ${direction} stops claims until the new value is stable for a minute`, () => {
    const fixture = new Fixture();
    fixture.run(5);
    fixture.aheadMs = jumpMs;
    assert.ok(!fixture.run(60));
    assert.ok(fixture.run(1));
    assert.ok(fixture.run(100));
    assert.deepEqual(fixture.events, ['clock-jumped', 'clock-stable']);
  });
}

test('another jump starts the minute again', () => {
  const fixture = new Fixture();
  fixture.run(5);
  fixture.aheadMs = HOUR_MS;
  fixture.run(50);
  fixture.aheadMs = 2 * HOUR_MS;
  assert.ok(!fixture.run(60));
  assert.ok(fixture.run(1));
  assert.deepEqual(fixture.events, ['clock-jumped', 'clock-jumped', 'clock-stable']);
});

test('a correction of less than a minute and a slow drift do not stop claims', () => {
  const fixture = new Fixture();
  fixture.run(5);
  for (let i = 0; i < 10; i++) {
    fixture.aheadMs += 59_000;
    assert.ok(fixture.run(1));
  }
  assert.deepEqual(fixture.events, []);
});
