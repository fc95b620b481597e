import { placeStatus } from '#src/domain/slice.ts';
import { lanes as everyLane, type Lane } from '#src/domain/task.ts';
import type { Truth } from '#src/truth/database.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';

/**
 * What a fault may cause to be sent once more: the ledger names the places whose call is out and whose answer nobody has
 * written down, and workers count the calls that no clear answer came to.
 */
export class Doubt {
  readonly #truth: Truth;
  readonly #appId: string;
  /** By process: unclear answers when the run began, and when last asked. */
  readonly #unclear = new Map<number, { readonly first: number; last: number }>();
  #places = 0;

  constructor(truth: Truth, appId: string) {
    this.#truth = truth;
    this.#appId = appId;
  }

  /** How many notifications may have gone out twice so far. */
  get repeatsMax(): number {
    let answers = 0;
    for (const { first, last } of this.#unclear.values()) answers += last - first;
    return this.#places + answers;
  }

  /** Asked when something was killed: what is in doubt now may be sent again. Answers how many places are. */
  async notePlaces(): Promise<number> {
    const places = await this.placesInDoubt();
    this.#places += places;
    return places;
  }

  /** Places of this app that Apple is being asked to serve, or was when their worker died. */
  async placesInDoubt(lanes: readonly Lane[] = everyLane): Promise<number> {
    const rows = await Promise.all(
      this.#truth.shards.all.map((db) =>
        db.query<{ places: bigint }>(
          `select count(*) as places
             from slices s, generate_series(0, s.n - 1) as p (place)
            where s.app_id = $1 and s.state = 'leased' and s.channel = 'apns'
              and s.lane = any($2) and get_byte(s.status, p.place) = ${placeStatus.attempting}`,
          [this.#appId, lanes],
        ),
      ),
    );
    return rows.flat().reduce((sum, row) => sum + Number(row.places), 0);
  }

  /** Asked when the run begins, before a worker dies, and at the end. */
  async noteUnclear(workers: readonly RoleProcess[], since: 'start' | 'birth' = 'birth'): Promise<void> {
    for (const worker of workers.filter(({ alive }) => alive)) {
      const last = await unclearAnswersOf(worker);
      const known = this.#unclear.get(worker.pid);
      if (known) known.last = last;
      else this.#unclear.set(worker.pid, { first: since === 'start' ? last : 0, last });
    }
  }
}

async function unclearAnswersOf({ healthUrl }: RoleProcess): Promise<number> {
  const metrics = await (await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
  const line = /^carillon_vendor_answers_total\{[^}]*outcome="unreachable"[^}]*\} (\d+)$/m.exec(metrics);
  return Number(line?.[1] ?? 0);
}
