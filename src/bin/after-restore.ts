import type { Truth } from '#src/truth/database.ts';
import {
  emptyInboxes,
  type Expanded,
  expandAgain,
  findExpanded,
  findExpandedTasks,
  findTasksInShards,
  findUnknownTasks,
  finishAgain,
  forgetTasks,
  layAgain,
  skipHomeNumbers,
  skipShardNumbers,
} from '#src/truth/restored.ts';
import { runCommand } from './command.ts';

const TASKS_PER_PAGE = 1_000;
/** Whoever waits hears something each time that so many were looked at. */
const TASKS_PER_LINE = 100_000;

/**
 * Makes databases agree that were restored from backups: no two of them are of exactly the same moment. `docs/backup.md`
 * tells the steps before it. Repeating it does no harm.
 */
await runCommand(async ({ truth }) => {
  await skipHomeNumbers(truth.home);
  for (const db of truth.shards.all) await skipShardNumbers(db);
  const forgotten = await forgetUnknownTasks(truth);
  const { expanded, finished } = await openAgain(truth);
  let waiting = 0;
  for (const db of truth.shards.all) waiting += await layAgain(db);
  const lines = [
    'New people, groups, tokens and devices get numbers that nobody had.',
    `Tasks that home does not know, and that shards have forgotten now: ${forgotten}`,
    `Tasks that shards did not know, and that are expanded again: ${expanded}`,
    `Tasks that were finished at home alone, and that are looked at again: ${finished}`,
    `Slices that wait in inboxes, which are filled again where something is missing: ${waiting}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
});

/** Shards are asked first: whatever is there was at home before it, unless that was restored to an earlier moment. */
async function forgetUnknownTasks({ home, shards }: Truth): Promise<number> {
  const forgotten = new Set<bigint>();
  for (const db of shards.all) {
    for (let after = 0n, more = true; more; ) {
      const taskIds = await findTasksInShards(db, after, TASKS_PER_PAGE);
      const unknown = taskIds.length > 0 ? await findUnknownTasks(home, taskIds) : [];
      // Inboxes may be in any database.
      if (unknown.length > 0) for (const each of shards.all) await forgetTasks(each, unknown);
      for (const taskId of unknown) forgotten.add(taskId);
      after = taskIds.at(-1) ?? after;
      more = taskIds.length === TASKS_PER_PAGE;
    }
  }
  return forgotten.size;
}

/** Home is asked first: whatever it says is expanded was in the shards before, unless those are of an earlier moment. */
async function openAgain({ home, shards }: Truth): Promise<{ expanded: number; finished: number }> {
  const opened = { expanded: 0, finished: 0 };
  let seen = 0;
  for (let after = 0n, more = true; more; ) {
    const tasks = await findExpandedTasks(home, after, TASKS_PER_PAGE);
    const taskIds = tasks.map(({ taskId }) => taskId);
    const found = taskIds.length > 0 ? await Promise.all(shards.all.map((db) => findExpanded(db, taskIds))) : [];
    const byTask = Map.groupBy(found.flat(), ({ taskId }) => taskId);
    const sum = (taskId: bigint, of: (part: Expanded) => number) =>
      (byTask.get(taskId) ?? []).reduce((total, part) => total + of(part), 0);
    const isMissing = ({ taskId, expansions }: (typeof tasks)[number]) =>
      sum(taskId, ({ planned }) => planned) < expansions;
    const missing = tasks.filter(isMissing);
    const open = tasks.filter(
      (task) =>
        task.finished &&
        !isMissing(task) &&
        (sum(task.taskId, ({ done }) => done) < task.expansions || sum(task.taskId, ({ open }) => Number(open)) > 0),
    );
    if (missing.length > 0) {
      for (const db of shards.all) await emptyInboxes(db, idsOf(missing));
      await expandAgain(home, idsOf(missing));
    }
    if (open.length > 0) await finishAgain(home, idsOf(open));
    opened.expanded += missing.length;
    opened.finished += open.length;
    seen += tasks.length;
    if (tasks.length > 0 && seen % TASKS_PER_LINE === 0) process.stderr.write(`${seen} tasks were looked at …\n`);
    after = taskIds.at(-1) ?? after;
    more = tasks.length === TASKS_PER_PAGE;
  }
  return opened;
}

function idsOf(tasks: readonly { readonly taskId: bigint }[]): bigint[] {
  return tasks.map(({ taskId }) => taskId);
}
