import { BUCKETS } from '#src/domain/bucket.ts';
import { type Audience, firstTaskIdAt, type Strategy, type Task } from '#src/domain/task.ts';
import type { Signals } from '#src/signals/signals.ts';
import { sendWakeUp } from '#src/signals/wake-up.ts';
import { cancelTask, cancelTaskInShards } from '#src/storage/ledger/cancel.ts';
import type { Process } from '../environment/scheduler.ts';
import { simulatedDatabaseOf, write } from '../storage/database.ts';
import { homeRows } from '../storage/rows.ts';
import { apps, type SimulatedSystem } from './simulated-system.ts';

/** Whom a task is sent to: a list of users or push tokens, all devices of an app, or all members of its group. */
export type AudienceChoice = 'list' | 'all' | 'group';

/** The only group of each app. */
const GROUP_ID = 1n;

/** The bucket follows ten bits of a sequence in a task ID. */
const TASKS_PER_BUCKET = 1_024;

const strategies: readonly Strategy[] = ['combined', 'combined', 'nativepush_only', 'ospush_only'];

/** The simulated API. It accepts and cancels tasks, and sometimes crashes between two commits. */
export class Api {
  readonly #system: SimulatedSystem;
  #process: Process;
  #signals: Signals | undefined;
  #sequence = 0n;
  #requests = 0;

  constructor(system: SimulatedSystem) {
    this.#system = system;
    this.#process = system.scheduler.createProcess('api');
  }

  get process(): Process {
    return this.#process;
  }

  /** Sends a notification. A call without a response is repeated with the same request id. */
  notify(choice: AudienceChoice): bigint {
    const request = `request ${++this.#requests}`;
    const task = this.#newTask(choice);
    const call = () => {
      const process = this.#process;
      this.#system.scheduler.run(process, () => this.#accept(request, task, choice === 'all' ? null : false));
      this.#system.scheduler.post(this.#system.scheduler.createProcess('caller'), 5_000, '', () => {
        if (this.#system.oracle.acceptedTasks.has(request)) return;
        this.#system.faults.count('accept repeated');
        call();
      });
    };
    call();
    return task.taskId;
  }

  async #accept(request: string, draft: Task, byRange: false | null): Promise<void> {
    const { storage, oracle, breakage, scheduler } = this.#system;
    const table = homeRows(storage.home);
    if (breakage.respondsBeforeCommit) oracle.recordResponse(request, table.requestKeys.get(request) ?? draft.taskId);
    try {
      const taskId = await write(storage.home, 'accept', () => {
        const first = table.requestKeys.get(request);
        if (first !== undefined) return first;
        const database = simulatedDatabaseOf(storage.home);
        const dueAt = draft.dueAt.getTime() > database.now ? draft.dueAt : new Date(database.now);
        const task = { ...draft, dueAt };
        const initialState = {
          state: 'accepted',
          epoch: 0,
          nextAt: dueAt.getTime(),
          cancelledAt: null,
          failures: 0,
        } as const;
        database.put(table.requestKeys, request, task.taskId);
        database.put(table.tasks, task.taskId, { task, byRange, ...initialState });
        return task.taskId;
      });
      oracle.recordResponse(request, taskId);
      this.#signals ??= this.#system.bus.connection();
      sendWakeUp(this.#signals, draft.lane, 'tasks');
    } catch {
      scheduler.note('the caller of notify received an error');
    }
  }

  /** Cancels a task. A caller that receives an error gives up. */
  cancel(taskId: bigint): void {
    const { scheduler, storage, faults } = this.#system;
    scheduler.run(this.#process, async () => {
      try {
        if (!(await cancelTask(storage.home, taskId))) return;
        faults.count('task cancelled');
        await Promise.all(storage.shards.all.map((db) => cancelTaskInShards(db, taskId)));
      } catch {
        scheduler.note('the caller of cancel received an error');
      }
    });
  }

  /** Crashes the process, so that its work stays unfinished, and starts another process immediately. */
  crash(): void {
    this.#process.crash();
    this.#process = this.#system.scheduler.createProcess('api');
    this.#signals = undefined;
  }

  #newTask(choice: AudienceChoice): Task {
    const { random, scheduler } = this.#system;
    const appId = random.pick(apps);
    const bucket = random.below(BUCKETS);
    const dueAt = new Date(scheduler.now + (random.chance(0.2) ? random.between(500, 6_000) : 0));
    const message = { type: random.chance(0.1) ? 'cmd' : 'text', body: 'x', badge: '+1' } as const;
    return {
      taskId: firstTaskIdAt(new Date(scheduler.now)) + BigInt(bucket * TASKS_PER_BUCKET) + ++this.#sequence,
      appId,
      lane: choice === 'list' ? 'prompt' : 'bulk',
      audience: choice === 'list' ? this.#newList(appId) : { kind: 'all' },
      groupId: choice === 'group' ? GROUP_ID : null,
      byUser: choice === 'list' && random.chance(0.3),
      strategy: random.pick(strategies),
      ospushSequence: random.pick([['fcm', 'ups'], ['ups'], ['ups', 'fcm'], ['xiaomi', 'huawei']]),
      message,
      messageText: JSON.stringify(message),
      dueAt,
      notAfter: new Date(dueAt.getTime() + random.between(5_000, 40_000)),
    };
  }

  #newList(appId: string): Audience {
    const { random, phones } = this.#system;
    const appPhones = phones.filter((phone) => phone.appId === appId && phone.userId !== null);
    const selected = appPhones.filter(() => random.chance(0.6));
    return random.chance(0.5)
      ? { kind: 'user_id', userIds: selected.flatMap(({ userId }) => userId ?? []) }
      : { kind: 'push_token', pushTokens: selected.map(({ pushToken }) => pushToken) };
  }
}
