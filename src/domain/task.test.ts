import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INT64_MAX, INT64_MIN } from '#src/foundation/int64.ts';
import {
  bucketOfTask,
  firstTaskIdAt,
  groupByDay,
  recentTaskRange,
  splitAfterFirstDays,
  taskDaysBefore,
  taskRangeOfTimes,
} from './task.ts';

const DAY_MS = 86_400_000;

describe('days that can have open tasks', () => {
  const now = new Date('2026-11-15T10:00:00Z');
  const [first, last] = recentTaskRange(now);
  const days = taskDaysBefore(now, first);

  test('cover every ID of the last 61 days exactly once', () => {
    const oldest = firstTaskIdAt(new Date(now.getTime() - 61 * DAY_MS));
    const ranges = [...days, [first, last] as const];
    assert.ok((ranges[0]?.[0] as bigint) <= oldest);
    for (const [i, range] of ranges.entries()) {
      assert.ok(range[0] <= range[1]);
      if (i > 0) assert.equal(range[0], (ranges[i - 1]?.[1] as bigint) + 1n);
    }
  });

  test('are the days by which tasks are partitioned', () => {
    for (const [from] of days) assert.equal(from % (86_400n << 22n), 0n);
  });

  test('start at the task epoch', () => {
    const early = new Date('2026-01-03T00:00:00Z');
    assert.deepEqual(taskDaysBefore(early, firstTaskIdAt(new Date('2026-01-01T12:00:00Z'))), [
      [0n, (43_200n << 22n) - 1n],
    ]);
  });
});

test('the bucket of a task is the last 12 bits of its ID', () => {
  const first = firstTaskIdAt(new Date('2026-11-15T10:00:00Z'));
  assert.deepEqual([first, first + 4_095n, first + 4_096n, 2n ** 53n - 1n].map(bucketOfTask), [0, 4_095, 0, 4_095]);
});

test('task IDs are below 2^53 until 2094', () => {
  assert.ok(firstTaskIdAt(new Date('2094-01-01T00:00:00Z')) < 2n ** 53n);
});

test('items are grouped by the days by which tasks are partitioned', () => {
  const idAt = (time: string) => firstTaskIdAt(new Date(time));
  const [last, first, next] = [
    idAt('2026-11-15T00:00:00Z') - 1n,
    idAt('2026-11-15T00:00:00Z'),
    idAt('2026-11-16T00:00:00Z'),
  ];
  const groups = groupByDay([first, last, next, next - 1n, next + 1n], (taskId) => taskId);
  assert.deepEqual(groups, [[first, next - 1n], [last], [next, next + 1n]]);
  assert.deepEqual(
    groupByDay([], (taskId: bigint) => taskId),
    [],
  );
});

test('the range of a time contains the IDs from its start until before its end', () => {
  const [from, to] = [BigInt(Date.UTC(2026, 10, 15)), BigInt(Date.UTC(2026, 10, 16))];
  const [first, last] = taskRangeOfTimes(from, to);
  assert.equal(first, firstTaskIdAt(new Date(Number(from))));
  assert.equal(last, firstTaskIdAt(new Date(Number(to))) - 1n);
  assert.deepEqual(taskRangeOfTimes(undefined, undefined), [0n, 2n ** 63n - 1n]);
  assert.deepEqual(taskRangeOfTimes(-(2n ** 63n), 2n ** 63n - 1n), [0n, 2n ** 63n - 2n]);
});

describe('the first days of a list', () => {
  const now = new Date('2026-11-15T10:00:00Z');
  const daysAgo = (days: number) => firstTaskIdAt(new Date(now.getTime() - days * DAY_MS));

  test('are the last three days and the future, or three days from the cursor', () => {
    assert.deepEqual(splitAfterFirstDays([0n, INT64_MAX], 'newest', now), [
      [daysAgo(3), INT64_MAX],
      [0n, daysAgo(3) - 1n],
    ]);
    assert.deepEqual(splitAfterFirstDays([0n, daysAgo(9)], 'newest', now), [
      [daysAgo(12), daysAgo(9)],
      [0n, daysAgo(12) - 1n],
    ]);
    assert.deepEqual(splitAfterFirstDays([daysAgo(9), INT64_MAX], 'oldest', now), [
      [daysAgo(9), daysAgo(6) - 1n],
      [daysAgo(6), INT64_MAX],
    ]);
  });

  test('are not divided if the range is short or empty, or if the oldest day is unknown', () => {
    const ranges = [
      [daysAgo(2), INT64_MAX],
      [daysAgo(2), daysAgo(1)],
      [0n, INT64_MIN],
      [INT64_MAX, INT64_MIN],
    ] as const;
    for (const range of ranges) assert.deepEqual(splitAfterFirstDays(range, 'newest', now), [range]);
    const fromOldest = [
      [0n, INT64_MAX],
      [daysAgo(2), daysAgo(1)],
      [INT64_MAX, INT64_MIN],
    ] as const;
    for (const range of fromOldest) assert.deepEqual(splitAfterFirstDays(range, 'oldest', now), [range]);
  });
});
