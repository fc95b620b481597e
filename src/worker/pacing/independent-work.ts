import type { Log } from '#src/foundation/log.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { type WorkGroup, waitWhileResponsive } from '#src/storage/database/responsive-work.ts';

/** Maximum number of groups that continue in the background. Beyond it, callers wait. */
const BACKGROUND_MAX = 256;

/**
 * Waits for groups of work that need different databases. A group that waits for a silent database continues in the
 * background, so that it delays neither the others nor the next claim.
 */
export class IndependentWork {
  readonly #log: Log;
  readonly #background = new Set<Promise<void>>();
  #backgroundGroups = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Resolves when each group has ended or waits for a silent database. Throws the first failure if no group continues
   * in the background.
   */
  async settle(groups: readonly WorkGroup[]): Promise<void> {
    const all = settleAll(groups.map(({ work }) => work));
    all.catch(() => undefined); // handled below
    const hasRoom = (unfinished: number) => this.#backgroundGroups + unfinished <= BACKGROUND_MAX;
    const { size } = await waitWhileResponsive(groups, hasRoom);
    if (size > 0) this.#continueInBackground(all, size);
    else await all;
  }

  /** Resolves when no work continues in the background. */
  async idle(): Promise<void> {
    await Promise.all(this.#background);
  }

  #continueInBackground(work: Promise<unknown>, groups: number): void {
    this.#backgroundGroups += groups;
    const logged = work.then(
      () => undefined,
      (error: unknown) => this.#log.warn('work-failed', { error }),
    );
    this.#background.add(logged);
    void logged.finally(() => {
      this.#background.delete(logged);
      this.#backgroundGroups -= groups;
    });
  }
}
