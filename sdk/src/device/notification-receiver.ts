import { applyBadge } from './badge.ts';
import { parseNotification, parseRecall, type ReceivedNotification } from './notification.ts';
import type { PersistedState } from './persisted-state.ts';

/**
 * Shows a notification. The notification is acknowledged, and therefore counted as received, when the handler has
 * returned or resolved.
 */
export type NotificationHandler = (notification: ReceivedNotification) => unknown;

/** Reason codes of a PUBACK. Codes of 0x80 and above reject the message. */
export const pubackCodes = { success: 0x00, failed: 0x80, unreadable: 0x99 } as const;

/**
 * The time limit for showing a notification. After one minute the notification is rejected, so that it does not occupy
 * the gateway's window permanently.
 */
const SHOW_MS_MAX = 60_000;

interface NotificationReceiverOptions {
  readonly persisted: PersistedState;
  readonly onNotification: NotificationHandler;
  readonly onRecall: (recall: { readonly task_id: bigint; readonly message_id: bigint }) => void;
  readonly onBadge: (badge: number) => void;
  readonly onProblem: (problem: Error) => void;
}

/** Shows each received notification once and returns the reason code of its PUBACK. */
export class NotificationReceiver {
  readonly #options: NotificationReceiverOptions;
  /** Notifications that are being shown, by message id. A repeat waits for the same handler. */
  readonly #showing = new Map<string, Promise<void>>();

  constructor(options: NotificationReceiverOptions) {
    this.#options = options;
  }

  /**
   * Returns the reason code for the PUBACK. A notification that could not be shown is rejected: Carillon then uses
   * another channel, or keeps the notification for the next connection. Without a PUBACK, Carillon would do the same,
   * but the notification would occupy the gateway's window.
   */
  async receive(payload: Uint8Array): Promise<number> {
    const notification = parseNotification(payload);
    if (!notification) {
      this.#options.onProblem(new Error('The gateway sent a payload that is not a notification.'));
      return pubackCodes.unreadable;
    }
    try {
      await this.#showOnce(notification);
      return pubackCodes.success;
    } catch (cause) {
      const id = notification.message_id;
      this.#options.onProblem(new Error(`Notification ${id} was not shown.`, { cause }));
      return pubackCodes.failed;
    }
  }

  /**
   * Reports a recalled notification, after its handler has ended. A notification that arrives after its recall, for
   * example because it was sent again, is not shown.
   */
  async recall(payload: Uint8Array): Promise<void> {
    const recall = parseRecall(payload);
    if (!recall) return;
    const id = recall.message_id.toString();
    await this.#showing.get(id)?.catch(() => undefined);
    this.#options.persisted.seen.add(id);
    this.#options.onRecall(recall);
    await this.#save();
  }

  async #showOnce(notification: ReceivedNotification): Promise<void> {
    const id = notification.message_id.toString();
    if (this.#options.persisted.seen.has(id)) return;
    let showing = this.#showing.get(id);
    if (!showing) {
      showing = this.#show(id, notification);
      this.#showing.set(id, showing);
    }
    await showing;
  }

  /**
   * Calls the handler. A notification is recorded as shown even if the handler took too long, because it must not be
   * shown again.
   */
  async #show(id: string, notification: ReceivedNotification): Promise<void> {
    const { persisted, onNotification, onBadge } = this.#options;
    const shown = Promise.resolve(notification)
      .then(onNotification)
      .then(async () => {
        persisted.seen.add(id);
        const badge = applyBadge(persisted.badge, notification.badge);
        if (badge !== persisted.badge) {
          persisted.badge = badge;
          onBadge(badge);
        }
        await this.#save();
      });
    try {
      await withDeadline(shown, SHOW_MS_MAX);
    } finally {
      this.#showing.delete(id);
    }
  }

  /**
   * Saves the state. A shown notification is acknowledged even if the state cannot be saved. At worst, it is shown
   * again after a reload.
   */
  async #save(): Promise<void> {
    try {
      await this.#options.persisted.save();
    } catch (cause) {
      this.#options.onProblem(new Error('The ids of shown notifications could not be saved.', { cause }));
    }
  }
}

async function withDeadline(work: Promise<void>, msMax: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The handler took longer than ${msMax} ms.`)), msMax);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
