import type { Json } from '../kit/read.ts';

type SavedMessage = { readonly appId: string; readonly body: Json };

const SAVED_MAX = 10_000; // the oldest is dropped; vivo also deletes messages that are not sent

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
