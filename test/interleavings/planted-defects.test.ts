import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Harness, startHarness } from './harness.ts';
import type { OperationName } from './operations.ts';
import { Violation } from './run-schedule.ts';

/** A change of a statement that the harness must detect. */
interface Defect {
  readonly name: string;
  readonly from: RegExp;
  readonly to: string;
  /** The operations that are affected, so that few schedules are needed. */
  readonly only: readonly OperationName[];
}

const SCHEDULES_MAX = 200;

const defects: readonly Defect[] = [
  {
    name: 'a write does not check the epoch',
    from: /s\.epoch = w\.epoch and /,
    to: '',
    only: ['claimSlices', 'writeSlices', 'wake'],
  },
  {
    name: 'a write clears sent bits',
    from: /sent = s\.sent \| l\.sent, state/,
    to: 'sent = l.sent, state',
    only: ['claimSlices', 'writeSlices', 'wake', 'markSlices'],
  },
  {
    name: 'a mark clears received bits',
    from: /received = s\.received \| l\.received/,
    to: 'received = l.received',
    only: ['markSlices'],
  },
  {
    name: 'a mark waits for locked slices',
    from: /for update of s skip locked/,
    to: 'for update of s',
    only: ['markSlices', 'claimSlices'],
  },
  {
    name: 'marks lock slices in any order',
    from: /order by s\.task_id, s\.bucket, s\.slice\s+for update of s skip locked/,
    to: '',
    only: ['markSlices'],
  },
  {
    name: 'a claim does not lock slices',
    from: /(from slices where .*) for update skip locked/,
    to: '$1',
    only: ['claimSlices', 'wake'],
  },
  {
    name: 'a claim waits for locked slices',
    from: /(from slices where .*) for update skip locked/,
    to: '$1 for update',
    only: ['claimSlices', 'markSlices', 'wake'],
  },
  {
    name: 'a claim keeps the epoch',
    from: /state = 'leased', epoch = s\.epoch \+ 1,/,
    to: `state = 'leased', epoch = s.epoch,`,
    only: ['claimSlices'],
  },
  {
    name: 'a holder claims a slice again under an old epoch',
    from: /and epoch = \$4 (and state = 'leased'\s+returning \*)/,
    to: 'and epoch >= $4 $1',
    only: ['claimSlices', 'reclaimSlice', 'wake'],
  },
  {
    name: 'a release does not check the epoch',
    from: /s\.epoch = h\.epoch and /,
    to: '',
    only: ['claimSlices', 'releaseSlices', 'wake'],
  },
  {
    name: 'a mark clears clicked bits',
    from: /clicked = coalesce\(s\.clicked \| l\.clicked, s\.clicked, l\.clicked\)/,
    to: 'clicked = l.clicked',
    only: ['markSlices'],
  },
  {
    name: 'a renewal does not check the epoch',
    from: /s\.epoch = h\.epoch and /,
    to: '',
    only: ['claimSlices', 'renewSlices', 'wake'],
  },
  {
    name: 'a renewal waits for locked slices',
    from: /for update of s skip locked(?=\s+\)\s+update slices s set next_at)/,
    to: 'for update of s',
    only: ['claimSlices', 'renewSlices', 'markSlices', 'wake'],
  },
  {
    name: 'a failure does not check the epoch',
    from: /and slice = \$5 and epoch = \$6 and/,
    to: 'and slice = $5 and epoch >= $6 and',
    only: ['claimSlices', 'recordSliceFailure', 'wake'],
  },
  {
    name: 'a hand-over does not lock the slice that it reopens',
    from: /for update of s$/,
    to: '',
    only: ['claimSlices', 'commitHandOver', 'writeSlices', 'wake'],
  },
  {
    name: 'a reopened slice keeps its epoch',
    from: /state = 'waiting', epoch = epoch \+ 1/,
    to: `state = 'waiting'`,
    only: ['claimSlices', 'commitHandOver'],
  },
  {
    name: 'a cancellation ends leases',
    from: /case when s\.state = 'leased' then s\.next_at else least\(s\.next_at, now\(\)\) end/,
    to: 'least(s.next_at, now())',
    only: ['claimSlices', 'claimExpansions', 'cancelTaskInShards'],
  },
  {
    name: 'a cancellation does not look for slices that were inserted while it waited',
    from: /exists \(select from slices where [^)]*\)/,
    to: 'false',
    only: ['claimSlices', 'commitHandOver', 'cancelTaskInShards'],
  },
  {
    name: 'the end of a range does not check the epoch',
    from: /and epoch = \$4 (and state = 'leased'\s+returning cancelled)/,
    to: 'and epoch >= $4 $1',
    only: ['claimExpansions', 'completeExpansion', 'endExpansion', 'wake'],
  },
  {
    name: 'a split does not lock its range',
    from: /(and epoch = \$4 and state = 'leased')\s+for update/,
    to: '$1',
    only: ['claimExpansions', 'completeExpansion', 'cancelTaskInShards', 'wake'],
  },
  {
    name: 'a plan inserts ranges although another plan was first',
    from: / and exists \(select from first\)/,
    to: '',
    only: ['planExpansions'],
  },
  {
    name: 'the progress of a task ignores open slices',
    from: /s\.state <> 'closed' and s\.task_id between/,
    to: 'false and s.task_id between',
    only: ['finish'],
  },
  {
    name: 'a task is planned under an old epoch',
    from: /and t\.epoch = c\.epoch and t\.state = 'accepted'/,
    to: `and t.state = 'accepted'`,
    only: ['claimTasks', 'markPlanned', 'wake'],
  },
  {
    name: 'an announcement replaces a later one',
    from: /where \(s\.generation, s\.since\) <= \(excluded\.generation, excluded\.since\)\s+or s\.gateway = excluded\.gateway/,
    to: '',
    only: ['announce'],
  },
];

/** Returns whether an error is a difference from the models, a violated law (P0001), or a duplicate row (23505). */
function isDifference(error: unknown): boolean {
  return error instanceof assert.AssertionError || /^(P0001|23505)$/.test((error as { code?: string }).code ?? '');
}

describe('the interleavings detect', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  for (const { name, from, to, only } of defects)
    test(name, async () => {
      let changed = 0;
      const alter = (text: string) => {
        const altered = text.replace(from, to);
        if (altered !== text) changed++;
        return altered;
      };
      let violation: Violation | undefined;
      let seed = 0;
      while (!violation && seed++ < SCHEDULES_MAX)
        await harness.run({ seed, alter, only }).catch((error: unknown) => {
          if (!(error instanceof Violation)) throw error;
          violation = error;
        });
      assert.ok(changed > 0, 'no statement was changed');
      assert.ok(violation, `not detected by ${SCHEDULES_MAX} schedules`);
      assert.ok(isDifference(violation.cause), `the changed statement is not valid: ${violation.message}`);
      console.log(`  ${name}: ${violation.message.split('\n')[0]}`);
    });
});
