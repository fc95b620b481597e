import { pushTaskList } from '#src/contract/push/task/list.ts';
import { sightOf } from '#src/domain/caller.ts';
import { findTaskPage, type ListedTask } from '#src/storage/ledger/tasks.ts';
import type { Route } from '../../../context.ts';
import { pageOf } from '../../../records/page.ts';

export const pushTaskListRoute: Route<typeof pushTaskList> = {
  operation: pushTaskList,
  handle: async ({ truth }, { caller, body }) => {
    const sight = sightOf(caller);
    const { list, next } = await pageOf(
      body,
      (before, limit) => findTaskPage(truth.home, caller.appId, sight, before, limit),
      ({ taskId }) => taskId,
    );
    return { list: list.map(toRecord), next };
  },
};

function toRecord(task: ListedTask) {
  const { taskId, author, acceptedAt, dueAt, notAfter } = task;
  return {
    task_id: taskId,
    state: stateOf(task),
    author,
    audience: task.audienceKind,
    accepted_at: BigInt(acceptedAt.getTime()),
    due_at: BigInt(dueAt.getTime()),
    end_at: BigInt(notAfter.getTime()),
  };
}

function stateOf({ cancelled, state, due }: ListedTask): 'held' | 'sending' | 'finished' | 'cancelled' {
  if (cancelled) return 'cancelled';
  if (state === 'finished') return 'finished';
  return due ? 'sending' : 'held';
}
