import { orBits } from '#src/domain/bits.ts';
import { productRules } from '../environment/database.ts';
import type { Breakage } from './simulated-system.ts';

/** A rule taken away, and the laws one of which must then be found broken. A simulator that finds nothing proves nothing. */
export interface Control {
  readonly rule: string;
  readonly breakage: Breakage;
  readonly laws: RegExp;
}

/** A world in which a finish that was missed is missed for good, and in which nobody dies who should have asked. */
export const withoutSecondLook = { calm: true, rules: { ignoresUnfinishedTasks: true } } as const satisfies Breakage;

export const controls: readonly Control[] = [
  {
    rule: 'a write says its epoch',
    laws: /^L6 no worker writes without its epoch/,
    breakage: {
      rules: {
        writeAsHolder: (row, write, now) =>
          productRules.writeAsHolder(row, { ...write, claimed: { ...write.claimed, epoch: row.epoch } }, now),
      },
    },
  },
  {
    rule: 'marks are OR-ed',
    laws: /^(L5 bits never clear|L4)/,
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
    rule: 'a holder adds to the sent bits',
    laws: /^(L5 bits never clear|L4)/,
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
    rule: 'a claim raises the epoch',
    laws: /^(L5|L6|a vendor is called|a gateway is asked|what a vendor took)/,
    breakage: {
      rules: { claim: (row, now, leaseMs) => ({ ...productRules.claim(row, now, leaseMs), epoch: row.epoch }) },
    },
  },
  {
    rule: 'a response follows its commit',
    laws: /^L1 an answered task exists/,
    breakage: { respondsBeforeCommit: true },
  },
  {
    rule: 'a hand-over is one commit with its close',
    laws: /^(a device is served or told why not|L2|nothing is begun)/,
    breakage: { rules: { splitsTransactions: true } },
  },
  {
    rule: 'a task is finished when nothing is open',
    laws: /^L7 a finished task/,
    breakage: { rules: { ignoresOpenSlices: true } },
  },
  {
    rule: 'a finish is asked after the commit, in a new statement',
    laws: /^a task is finished/,
    breakage: { ...withoutSecondLook, rules: { ...withoutSecondLook.rules, snapshotMs: 100 } },
  },
];
