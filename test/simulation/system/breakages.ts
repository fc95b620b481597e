import { orBits } from '#src/domain/bits.ts';
import { productRules } from '../environment/database.ts';
import type { Breakage } from './simulated-system.ts';

/**
 * A removed rule, and the invariants of which at least one must then be violated. If none is violated, the simulation
 * cannot detect that the rule is missing.
 */
export interface Control {
  readonly rule: string;
  readonly breakage: Breakage;
  readonly laws: RegExp;
}

/**
 * A task that was not marked as finished is not checked again, and no process fails or waits for long before it checks
 * whether a task is finished.
 */
export const withoutSecondLook = { calm: true, rules: { ignoresUnfinishedTasks: true } } as const satisfies Breakage;

export const controls: readonly Control[] = [
  {
    rule: 'a write checks the epoch of its claim',
    laws: /^L6 no worker writes without its epoch/,
    breakage: {
      rules: {
        writeAsHolder: (row, write, now) =>
          productRules.writeAsHolder(row, { ...write, claimed: { ...write.claimed, epoch: row.epoch } }, now),
      },
    },
  },
  {
    rule: 'marks are combined with OR',
    laws: /^(L5 bits are never cleared|L4)/,
    breakage: {
      rules: {
        mark: (row, marks, now) => {
          const marked = productRules.mark(row, marks, now);
          return marked && { ...marked, received: marks.received, sent: orBits(marks.sent, marks.received) };
        },
      },
    },
  },
  {
    rule: 'a lease holder adds to the sent bits',
    laws: /^(L5 bits are never cleared|L4)/,
    breakage: {
      rules: {
        writeAsHolder: (row, write, now) => {
          const written = productRules.writeAsHolder(row, write, now);
          return written && { ...written, sent: write.sent };
        },
      },
    },
  },
  {
    rule: 'a claim increases the epoch',
    laws: /^(L5|L6|a vendor is called|a gateway is asked|a place that a vendor accepted)/,
    breakage: {
      rules: { claim: (row, now, leaseMs) => ({ ...productRules.claim(row, now, leaseMs), epoch: row.epoch }) },
    },
  },
  {
    rule: 'a response follows its commit',
    laws: /^L1 an accepted task exists/,
    breakage: { respondsBeforeCommit: true },
  },
  {
    rule: 'a hand-over is committed together with the close of its slice',
    laws: /^(a device of the audience has a final result|L2|no work starts)/,
    breakage: { rules: { splitsTransactions: true } },
  },
  {
    rule: 'a task is finished when no slice is open',
    laws: /^L7 a finished task/,
    breakage: { rules: { ignoresOpenSlices: true } },
  },
  {
    rule: 'a task is finished when no expansion is open',
    laws: /^L7 a finished task/,
    breakage: { rules: { ignoresOpenExpansions: true } },
  },
  {
    rule: 'only the worker that inserts the first range inserts the others',
    laws: /^(L11|L2)/,
    breakage: { rules: { plansWithoutFirstRange: true } },
  },
  {
    rule: 'a split inserts the rest of its range',
    laws: /^(L11|a device of the audience has a place)/,
    breakage: { rules: { splitsWithoutRest: true } },
  },
  {
    rule: 'a split ends the first range where the rest begins',
    laws: /^L11/,
    breakage: { rules: { splitsWithoutEnd: true } },
  },
  {
    rule: 'a cancellation marks the rows that were inserted while it marked the others',
    laws: /^(a cancellation marks every open row|no work starts for a cancelled task)/,
    breakage: { rules: { marksCancelOnce: true } },
  },
  {
    rule: 'the check whether a task is finished runs after the commit, in a new statement',
    laws: /^a task is finished/,
    breakage: { ...withoutSecondLook, rules: { ...withoutSecondLook.rules, snapshotMs: 100 } },
  },
];
