import { pushTaskList } from '#src/contract/push/task/list.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { findTaskPage, type ListedTask } from '#src/storage/ledger/task-pages.ts';
import type { Route } from '../../../context.ts';
import { readPage } from '../../../records/page.ts';

export const pushTaskListRoute: Route<typeof pushTaskList> = {
  operation: pushTaskList,
  handle: async ({ storage }, { caller, body }) => {
    const sight = taskVisibilityOf(caller);
    const { list, next } = await readPage(
      body,
      (before, limit) => findTaskPage(storage.home, caller.appId, sight, before, limit),
      ({ taskId }) => taskId,
    );
    return { list: list.map((task) => toRecord(task, caller.kind !== 'user')), next };
  },
};

function toRecord(task: ListedTask, showsToken: boolean) {
  const { taskId, author, acceptedAt, dueAt, notAfter } = task;
  return {
    task_id: taskId,
    state: stateOf(task),
    author,
    token_kind: showsToken ? task.tokenKind : null,
    token_id: showsToken ? task.tokenId : null,
    token_parent: showsToken ? task.tokenParent : null,
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
