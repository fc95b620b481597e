import { placeStatus } from '#src/domain/slice.ts';
import { lanes as everyLane, type Lane } from '#src/domain/task.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';

/** A claim on a slice, with the number of places for which Apple was being called. */
interface Claim {
  readonly taskId: bigint;
  readonly sliceNumber: number;
  readonly epoch: number;
  readonly placeCount: number;
}

/**
 * Counts the notifications that a fault can cause to be sent again. The ledger contains the places whose call was
 * started and whose outcome is not recorded. They are sent again if another worker claims the slice. Workers also count
 * the calls without a clear response.
 */
export class UnconfirmedSends {
  readonly #storage: Storage;
  readonly #appId: string;
  /** Claims that were held when a fault was injected, by shard database. */
  readonly #claims: readonly Map<string, Claim>[];
  /** Number of unclear outcomes at the start of the run and at the last reading, by process. */
  readonly #unclearOutcomes = new Map<number, { readonly first: number; last: number }>();

  constructor(storage: Storage, appId: string) {
    this.#storage = storage;
    this.#appId = appId;
    this.#claims = storage.shards.all.map(() => new Map());
  }

  /** Records the claims after a kill or a stop. Returns the number of places for which Apple was being called. */
  async recordPlaces(): Promise<number> {
    let places = 0;
    for (const [i, claims] of (await this.#unconfirmedClaims(everyLane)).entries())
      for (const claim of claims) {
        this.#claims[i]?.set(`${claim.taskId}.${claim.sliceNumber}.${claim.epoch}`, claim);
        places += claim.placeCount;
      }
    return places;
  }

  async countPlaces(lanes: readonly Lane[]): Promise<number> {
    return (await this.#unconfirmedClaims(lanes)).flat().reduce((sum, { placeCount }) => sum + placeCount, 0);
  }

  /**
   * Records the unclear outcomes of workers. Call it at the start of the run, before a worker is killed, and at the
   * end.
   */
  async recordUnclearOutcomes(workers: readonly RoleProcess[], since: 'start' | 'birth' = 'birth'): Promise<void> {
    for (const worker of workers.filter(({ isAlive }) => isAlive)) {
      const last = await unclearOutcomesOf(worker);
      const recorded = this.#unclearOutcomes.get(worker.pid);
      if (recorded) recorded.last = last;
      else this.#unclearOutcomes.set(worker.pid, { first: since === 'start' ? last : 0, last });
    }
  }

  /** Counts the recorded claims that another worker has since taken over. */
  async countReclaimed(): Promise<{ slices: number; places: number }> {
    let [slices, places] = [0, 0];
    for (const [i, db] of this.#storage.shards.all.entries()) {
      const claims = [...(this.#claims[i]?.values() ?? [])];
      const rows = await db.query<{ position: bigint }>(
        `select c.position
           from unnest($1::bigint[], $2::int[], $3::int[]) with ordinality as c (task_id, slice, epoch, position)
           join slices s using (task_id, slice)
          where s.epoch > c.epoch`,
        [
          claims.map(({ taskId }) => taskId),
          claims.map(({ sliceNumber }) => sliceNumber),
          claims.map(({ epoch }) => epoch),
        ],
      );
      slices += rows.length;
      for (const { position } of rows) places += claims[Number(position) - 1]?.placeCount ?? 0;
    }
    return { slices, places };
  }

  /** Returns the number of notifications that may have been sent again. */
  async repeatsMax(): Promise<number> {
    let max = (await this.countReclaimed()).places;
    for (const { first, last } of this.#unclearOutcomes.values()) max += last - first;
    return max;
  }

  /**
   * Returns the slices for which Apple is being called, or was being called when their worker died, by shard database.
   */
  #unconfirmedClaims(lanes: readonly Lane[]): Promise<Claim[][]> {
    return Promise.all(
      this.#storage.shards.all.map((db) =>
        db.query<Claim>(
          `select s.task_id as "taskId", s.slice as "sliceNumber", s.epoch, count(*)::int as "placeCount"
             from slices s, generate_series(0, s.n - 1) as p (place)
            where s.app_id = $1 and s.state = 'leased' and s.channel = 'apns' and s.lane = any($2)
              and get_byte(s.status, p.place) = ${placeStatus.attempting}
            group by 1, 2, 3`,
          [this.#appId, lanes],
        ),
      ),
    );
  }
}

async function unclearOutcomesOf({ healthUrl }: RoleProcess): Promise<number> {
  const metrics = await (await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
  const line = /^carillon_sent_total\{[^}]*outcome="unreachable"[^}]*\} (\d+)$/m.exec(metrics);
  return Number(line?.[1] ?? 0);
}
