import type { Json } from '../kit/read.ts';

type Saved = { readonly appId: string; readonly body: Json };

const SAVED_MAX = 10_000; // the oldest is forgotten, as vivo forgets what nobody sends

/** Messages that wait for their lists, by task id. */
export class SavedMessages {
  readonly #byTask = new Map<string, Saved>();

  add(taskId: string, saved: Saved): void {
    this.#byTask.set(taskId, saved);
    const [oldest] = this.#byTask.keys();
    if (this.#byTask.size > SAVED_MAX && oldest !== undefined) this.#byTask.delete(oldest);
  }

  get(taskId: string): Saved | undefined {
    return this.#byTask.get(taskId);
  }
}
