import type { Static } from 'typebox';
import { pushTaskList } from '#src/contract/push/task/list.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '#src/contract/schemas/fields.ts';
import { CONTENTS_MAX } from '#src/contract/schemas/task-content.ts';
import { type Caller, taskVisibilityOf } from '#src/domain/caller.ts';
import type { Channel } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { taskRangeOfTimes } from '#src/domain/task.ts';
import { containsText, ilikePattern, rangeAfter } from '#src/foundation/lists/list-page.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { type ChannelCounts, countChannels } from '#src/storage/ledger/statistics.ts';
import {
  findAudiences,
  findListedTasks,
  findTasksWithFailures,
  type ListedTask,
  scanTaskIds,
  scanTasks,
  type TaskFilter,
} from '#src/storage/ledger/task-pages.ts';
import type { Route } from '../../../context.ts';
import { textsOf } from '../../../records/message-texts.ts';
import { toScannedPage } from '../../../records/scanned-page.ts';
import { toTaskContent } from '../../../records/task-content.ts';

/** Maximum number of tasks per call whose failures are checked, as many as `/push/task/detail` counts. */
const CHECKED_TASKS_MAX = 500;

export const pushTaskListRoute: Route<typeof pushTaskList> = {
  operation: pushTaskList,
  handle: async ({ storage, clock }, { caller, body }) => {
    const { text, channel_failed: failedChannel } = body;
    if (caller.kind === 'user' && (body.token_kind !== undefined || body.token_id !== undefined || body.content))
      throw new Problem('no-permission', 'The fields token_kind, token_id and content require an admin token.');
    const limit = Math.min(body.limit ?? PAGE_DEFAULT, body.content ? CONTENTS_MAX : PAGE_MAX);
    const filter = filterOf(body, clock.now());
    const found = failedChannel
      ? await findFailedTasks(storage, caller, filter, failedChannel)
      : await findTasks(storage.home, caller, filter, limit);
    const matches = text === undefined ? found.list : found.list.filter((task) => hasText(task, text));
    const list = matches.slice(0, limit);
    const next = matches.length > limit ? (list.at(-1) as ListedTask).taskId : found.next;
    const counts = body.counts ? await readCounts(storage.shards, caller.appId, list) : undefined;
    const audiences = body.content ? await findAudiences(storage.home, list) : undefined;
    return { list: list.map((task) => toRecord(task, caller.kind !== 'user', counts, audiences)), next };
  },
};

/** The text can also be in another field than title and body. */
function filterOf(
  { after, order = 'newest', from, to, state, author, audience, text, ...token }: Static<typeof pushTaskList.body>,
  now: Date,
): TaskFilter {
  return {
    range: rangeAfter(taskRangeOfTimes(from, to), after, order),
    ...{ order, now, state, author, audience, tokenKind: token.token_kind, tokenId: token.token_id },
    messagePattern: text === undefined ? undefined : ilikePattern(JSON.stringify(text).slice(1, -1)),
  };
}

async function findTasks(home: Storage['home'], caller: Caller, filter: TaskFilter, limit: number) {
  const rows = await scanTasks(home, caller.appId, taskVisibilityOf(caller), filter, limit + 1);
  return toScannedPage(rows, limit, ({ taskId }) => taskId);
}

/** Returns the tasks with failures. All other columns are read only for these. */
async function findFailedTasks({ home, shards }: Storage, caller: Caller, filter: TaskFilter, channel: Channel) {
  const rows = await scanTaskIds(home, caller.appId, taskVisibilityOf(caller), filter, CHECKED_TASKS_MAX + 1);
  const { list, next } = toScannedPage(rows, CHECKED_TASKS_MAX, ({ taskId }) => taskId);
  const taskIds = list.map(({ taskId }) => taskId);
  const failed = await findTasksWithFailures(shards, caller.appId, taskIds, channel);
  const failedIds = taskIds.filter((taskId) => failed.has(taskId));
  return { list: await findListedTasks(home, caller.appId, failedIds), next };
}

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

function toRecord(
  task: ListedTask,
  showsToken: boolean,
  counts: CountsByTask | undefined,
  audiences: ReadonlyMap<bigint, string> | undefined,
) {
  const audienceText = audiences?.get(task.taskId);
  const sum = (counter: 'target' | 'sent' | 'received') =>
    counts ? (counts.get(task.taskId) ?? []).reduce((total, channel) => total + channel[counter], 0n) : null;
  const { taskId, author, acceptedAt, dueAt, notAfter, cancelledAt } = task;
  return {
    task_id: taskId,
    state: task.state,
    author,
    token_kind: showsToken ? task.tokenKind : null,
    token_id: showsToken ? task.tokenId : null,
    token_name: showsToken ? task.tokenName : null,
    token_parent: showsToken ? task.tokenParent : null,
    audience: task.audienceKind,
    content: audienceText === undefined ? null : toTaskContent(audienceText, task.messageText),
    title: textsOf(task.messageText).title,
    ...{ target: sum('target'), sent: sum('sent'), received: sum('received') },
    accepted_at: BigInt(acceptedAt.getTime()),
    due_at: BigInt(dueAt.getTime()),
    end_at: BigInt(notAfter.getTime()),
    cancelled_at: cancelledAt ? BigInt(cancelledAt.getTime()) : null,
  };
}

function hasText(task: ListedTask, text: string): boolean {
  const { title, body } = textsOf(task.messageText);
  return [title, body].some((value) => value !== null && containsText(value, text));
}
