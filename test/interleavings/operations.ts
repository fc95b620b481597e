import type { Random } from '../simulation/environment/random.ts';
import { cancelTask, cancelTaskInShards } from './cancel-operations.ts';
import { announce, deleteFromInbox, insertIntoInbox } from './device-operations.ts';
import {
  claimExpansions,
  completeExpansion,
  endExpansion,
  expandList,
  failExpansion,
  plan,
  renewExpansion,
} from './expansion-operations.ts';
import type { CreateOperation, Operation, Work } from './operation.ts';
import { claimSlices, failSlice, handOver, mark, reclaim, release, renew, writeSlices } from './slice-operations.ts';
import { claimTasks, finish, planTask, wake } from './task-operations.ts';

/** All operations, by the name of the function that they call. The weight is how often they occur. */
const operations = {
  claimSlices: { create: claimSlices, weight: 2 },
  writeSlices: { create: writeSlices, weight: 3 },
  markSlices: { create: mark, weight: 3 },
  commitHandOver: { create: handOver, weight: 3 },
  releaseSlices: { create: release, weight: 1 },
  renewSlices: { create: renew, weight: 1 },
  reclaimSlice: { create: reclaim, weight: 1 },
  recordSliceFailure: { create: failSlice, weight: 1 },
  claimExpansions: { create: claimExpansions, weight: 2 },
  completeExpansion: { create: completeExpansion, weight: 2 },
  endExpansion: { create: endExpansion, weight: 1 },
  renewExpansion: { create: renewExpansion, weight: 1 },
  recordExpansionFailure: { create: failExpansion, weight: 1 },
  planExpansions: { create: plan, weight: 1 },
  expandLists: { create: expandList, weight: 1 },
  claimTasks: { create: claimTasks, weight: 1 },
  markPlanned: { create: planTask, weight: 1 },
  finish: { create: finish, weight: 1 },
  wake: { create: wake, weight: 2 },
  cancelTask: { create: cancelTask, weight: 1 },
  cancelTaskInShards: { create: cancelTaskInShards, weight: 2 },
  insertInboxRows: { create: insertIntoInbox, weight: 1 },
  deleteInboxRows: { create: deleteFromInbox, weight: 1 },
  announce: { create: announce, weight: 1 },
} as const satisfies Record<string, { readonly create: CreateOperation; readonly weight: number }>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as OperationName[];

/** Returns a random operation. Operations that need a claim are chosen only if one is held. */
export function pickOperation(random: Random, work: Work, names: readonly OperationName[]): Operation {
  const weighted = names.flatMap((name) => Array<OperationName>(operations[name].weight).fill(name));
  for (let attempt = 0; attempt < 10; attempt++) {
    const operation = operations[random.pick(weighted)].create(random, work);
    if (operation) return operation;
  }
  return claimSlices(random, work) as Operation;
}
