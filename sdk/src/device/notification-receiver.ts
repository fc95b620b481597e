import { applyBadge } from './badge.ts';
import { parseNotification, type ReceivedNotification } from './notification.ts';
import type { PersistedState } from './persisted-state.ts';

/** Shows a notification. It is acknowledged, which is its receipt, when this has returned or resolved. */
export type NotificationHandler = (notification: ReceivedNotification) => unknown;

/** Reason codes of a PUBACK. From 0x80 on they say that the message was not taken. */
export const pubackCodes = { success: 0x00, failed: 0x80, unreadable: 0x99 } as const;

/** What is not shown after this time is refused, so that it does not hold a place in the gateway's window for ever. */
const SHOW_MS_MAX = 60_000;

interface NotificationReceiverOptions {
  readonly persisted: PersistedState;
  readonly onNotification: NotificationHandler;
  readonly onBadge: (badge: number) => void;
  readonly onProblem: (problem: Error) => void;
}

/** Takes what arrives: shows each notification once, and says how to answer it. */
export class NotificationReceiver {
  readonly #options: NotificationReceiverOptions;
  /** Those being shown right now. One that comes again meanwhile waits for the same end. */
  readonly #showing = new Map<string, Promise<void>>();

  constructor(options: NotificationReceiverOptions) {
    this.#options = options;
  }

  /**
   * Answers the reason code for the PUBACK. A refusal is right for what could not be shown: Carillon then goes another
   * way, or keeps it for the next connection. Without an answer it would do the same, but hold a place in the window.
   */
  async receive(payload: Uint8Array): Promise<number> {
    const notification = parseNotification(payload);
    if (!notification) {
      this.#options.onProblem(new Error('The gateway sent something that is no notification.'));
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

  /** Takes note of what was shown also when that took too long: it must not be shown again. */
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

  /** What was shown is acknowledged even if that cannot be kept: the worst is a repeat after a reload. */
  async #save(): Promise<void> {
    try {
      await this.#options.persisted.save();
    } catch (cause) {
      this.#options.onProblem(new Error('What was shown could not be kept for later.', { cause }));
    }
  }
}

async function withDeadline(work: Promise<void>, msMax: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${msMax} ms.`)), msMax);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
