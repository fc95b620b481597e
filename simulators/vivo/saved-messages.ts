import type { Json } from '../kit/read.ts';

type SavedMessage = { readonly appId: string; readonly body: Json };

const SAVED_MAX = 10_000; // beyond this, the oldest message is dropped; vivo also deletes unsent messages

/** Messages that were saved for lists, by task id. */
export class SavedMessages {
  readonly #byTask = new Map<string, SavedMessage>();

  add(taskId: string, message: SavedMessage): void {
    this.#byTask.set(taskId, message);
    const [oldest] = this.#byTask.keys();
    if (this.#byTask.size > SAVED_MAX && oldest !== undefined) this.#byTask.delete(oldest);
  }

  get(taskId: string): SavedMessage | undefined {
    return this.#byTask.get(taskId);
  }
}
