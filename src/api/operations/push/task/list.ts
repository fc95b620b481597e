import { pushTaskList } from '#src/contract/push/task/list.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { parseJson } from '#src/foundation/json.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { type ChannelCounts, countChannels } from '#src/storage/ledger/statistics.ts';
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
    const counts = body.counts ? await readCounts(storage.shards, caller.appId, list) : undefined;
    return { list: list.map((task) => toRecord(task, caller.kind !== 'user', counts)), next };
  },
};

type CountsByTask = ReadonlyMap<bigint, readonly ChannelCounts[]>;

/**
 * Reads the counters of a page with one statement per database. Returns undefined if a database is unavailable, because
 * the list itself needs only the home database.
 */
async function readCounts(
  shards: Storage['shards'],
  appId: string,
  tasks: readonly ListedTask[],
): Promise<CountsByTask | undefined> {
  try {
    const counts = await countChannels(
      shards,
      tasks.map(({ taskId }) => ({ appId, taskId })),
    );
    return Map.groupBy(counts, ({ taskId }) => taskId);
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}

function toRecord(task: ListedTask, showsToken: boolean, counts: CountsByTask | undefined) {
  const sum = (counter: 'target' | 'sent' | 'received') =>
    counts ? (counts.get(task.taskId) ?? []).reduce((total, channel) => total + channel[counter], 0n) : null;
  const { taskId, author, acceptedAt, dueAt, notAfter } = task;
  return {
    task_id: taskId,
    state: stateOf(task),
    author,
    token_kind: showsToken ? task.tokenKind : null,
    token_id: showsToken ? task.tokenId : null,
    token_parent: showsToken ? task.tokenParent : null,
    audience: task.audienceKind,
    title: titleOf(task),
    ...{ target: sum('target'), sent: sum('sent'), received: sum('received') },
    accepted_at: BigInt(acceptedAt.getTime()),
    due_at: BigInt(dueAt.getTime()),
    end_at: BigInt(notAfter.getTime()),
  };
}

/** Returns the title. A stored message that cannot be parsed has none. */
function titleOf({ messageText }: ListedTask): string | null {
  try {
    const { title } = parseJson(messageText) as { readonly title?: unknown };
    return typeof title === 'string' && title !== '' ? title : null;
  } catch {
    return null;
  }
}

function stateOf({ cancelled, state, due }: ListedTask): 'held' | 'sending' | 'finished' | 'cancelled' {
  if (cancelled) return 'cancelled';
  if (state === 'finished') return 'finished';
  return due ? 'sending' : 'held';
}
