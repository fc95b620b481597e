import { firstTaskIdAt, type Strategy, type Task } from '#src/domain/task.ts';
import type { Motion } from '#src/signals/signals.ts';
import { ringDoorbell } from '#src/signals/wake-up.ts';
import { cancelShard, cancelTask } from '#src/storage/ledger/cancel.ts';
import type { Process } from '../environment/scheduler.ts';
import { storageOf, write } from '../storage/database.ts';
import { homeRows } from '../storage/rows.ts';
import { apps, type World } from './simulated-system.ts';

const strategies: readonly Strategy[] = ['combined', 'combined', 'nativepush_only', 'ospush_only'];

/** The HTTP side: accepts, cancels, and sometimes dies between two commits. */
export class Api {
  readonly #world: World;
  #process: Process;
  #motion: Motion | undefined;
  #sequence = 0n;
  #requests = 0;

  constructor(world: World) {
    this.#world = world;
    this.#process = world.scheduler.process('api');
  }

  get process(): Process {
    return this.#process;
  }

  /** Somebody notifies. A call that is not answered is made again under the same request id. */
  notify(everyone: boolean): bigint {
    const request = `request ${++this.#requests}`;
    const task = this.#newTask(everyone);
    const call = () => {
      const process = this.#process;
      this.#world.scheduler.run(process, () => this.#accept(request, task, everyone ? null : 1));
      this.#world.scheduler.post(this.#world.scheduler.process('caller'), 5_000, '', () => {
        if (this.#world.oracle.promised.has(request)) return;
        this.#world.faults.count('accept repeated');
        call();
      });
    };
    call();
    return task.taskId;
  }

  async #accept(request: string, draft: Task, expansions: number | null): Promise<void> {
    const { truth, oracle, breakage, scheduler } = this.#world;
    const table = homeRows(truth.home);
    if (breakage.answersBeforeCommit) oracle.promise(request, table.requestKeys.get(request) ?? draft.taskId);
    try {
      const taskId = await write(truth.home, 'accept', () => {
        const first = table.requestKeys.get(request);
        if (first !== undefined) return first;
        const storage = storageOf(truth.home);
        const dueAt = draft.dueAt.getTime() > storage.now ? draft.dueAt : new Date(storage.now);
        const task = { ...draft, dueAt };
        const born = { state: 'accepted', epoch: 0, nextAt: dueAt.getTime(), cancelledAt: null } as const;
        storage.put(table.requestKeys, request, task.taskId);
        storage.put(table.tasks, task.taskId, { task, expansions, ...born });
        return task.taskId;
      });
      oracle.promise(request, taskId);
      this.#motion ??= this.#world.bus.connection();
      ringDoorbell(this.#motion, draft.lane);
    } catch {
      scheduler.note('the caller of notify heard an error');
    }
  }

  /** Somebody cancels; whoever hears an error cancels again, or forgets about it. */
  cancel(taskId: bigint): void {
    const { scheduler, truth, faults } = this.#world;
    scheduler.run(this.#process, async () => {
      try {
        if (!(await cancelTask(truth.home, taskId))) return;
        faults.count('task cancelled');
        for (const db of truth.shards.all) await cancelShard(db, taskId);
      } catch {
        scheduler.note('the caller of cancel heard an error');
      }
    });
  }

  /** Whatever it was doing stays half done; another one is there at once. */
  crash(): void {
    this.#process.crash();
    this.#process = this.#world.scheduler.process('api');
    this.#motion = undefined;
  }

  #newTask(everyone: boolean): Task {
    const { random, scheduler, phones } = this.#world;
    const appId = random.pick(apps);
    const mine = phones.filter((phone) => phone.appId === appId && phone.userId !== null);
    const some = mine.filter(() => random.chance(0.6));
    const dueAt = new Date(scheduler.now + (random.chance(0.2) ? random.between(500, 6_000) : 0));
    const message = { type: random.chance(0.1) ? 'cmd' : 'text', body: 'x', badge: '+1' } as const;
    return {
      taskId: firstTaskIdAt(new Date(scheduler.now)) + ++this.#sequence,
      appId,
      lane: everyone ? 'bulk' : 'prompt',
      audience: everyone
        ? { kind: 'all' }
        : random.chance(0.5)
          ? { kind: 'user_id', userIds: some.flatMap(({ userId }) => userId ?? []) }
          : { kind: 'push_token', pushTokens: some.map(({ pushToken }) => pushToken) },
      groupId: null,
      strategy: random.pick(strategies),
      ospushSequence: random.pick([['fcm', 'ups'], ['ups'], ['ups', 'fcm'], ['xiaomi', 'huawei']]),
      message,
      messageText: JSON.stringify(message),
      dueAt,
      notAfter: new Date(dueAt.getTime() + random.between(5_000, 40_000)),
    };
  }
}
