import type { Carillon } from '../client.ts';
import { CarillonError, CarillonUnreachable } from '../errors.ts';
import { retryDelayMs } from './backoff.ts';
import type { PersistedState } from './persisted-state.ts';
import { PENDING_RECEIPTS_MAX, type ReceiptList, receiptOutcome, receiptRequest } from './receipt-rules.ts';

/** Time to collect receipts for one call. */
const BATCH_DELAY_MS = 500;

interface ReceiptSenderOptions {
  readonly persisted: PersistedState;
  readonly list: ReceiptList;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Sends receipts for notifications that were received through a vendor, or that the user clicked. Retries until the
 * service accepts or rejects them.
 */
export class ReceiptSender {
  readonly #options: ReceiptSenderOptions;
  #carillon: Carillon | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;
  #failures = 0;

  constructor(options: ReceiptSenderOptions) {
    this.#options = options;
  }

  /** Sets the client that sends receipts, and sends the pending ones. Without a client, receipts wait. */
  setClient(carillon: Carillon | undefined): void {
    this.#carillon = carillon;
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#scheduleSend(0);
  }

  /** Resolves when the receipt is stored. It is sent soon after. */
  async add(reference: string): Promise<void> {
    const { persisted, list } = this.#options;
    if (!persisted[list].includes(reference)) persisted[list].push(reference);
    persisted[list].splice(0, persisted[list].length - PENDING_RECEIPTS_MAX);
    this.#scheduleSend(BATCH_DELAY_MS);
    await persisted.save();
  }

  #scheduleSend(delayMs: number): void {
    if (
      this.#timer !== undefined ||
      this.#isSending ||
      !this.#carillon ||
      this.#options.persisted[this.#options.list].length === 0
    )
      return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#sendBatch(this.#carillon as Carillon);
    }, delayMs);
  }

  async #sendBatch(carillon: Carillon): Promise<void> {
    const { persisted, list, onProblem } = this.#options;
    const request = receiptRequest(list, persisted[list]);
    this.#isSending = true;
    const outcome = await sendReceipts(carillon, request);
    this.#isSending = false;
    if (outcome.kind === 'again') {
      this.#failures++;
      this.#scheduleSend(Math.max(retryDelayMs('later', this.#failures), outcome.afterMs));
      return;
    }
    if (outcome.kind === 'signed-out') {
      if (this.#carillon === carillon) this.#carillon = undefined;
      this.#scheduleSend(0); // another client may have been set during the call
      return;
    }
    if (outcome.kind === 'refused') onProblem(outcome.problem);
    this.#failures = 0;
    const sentReferences = new Set(request.list);
    persisted[list] = persisted[list].filter((reference) => !sentReferences.has(reference));
    this.#scheduleSend(0);
    await persisted.save().catch((cause: unknown) => {
      onProblem(new Error('The removal of accepted receipts could not be saved.', { cause }));
    });
  }
}

type SendResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly problem: Error }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'again'; readonly afterMs: number };

async function sendReceipts(carillon: Carillon, request: ReturnType<typeof receiptRequest>): Promise<SendResult> {
  try {
    await carillon.device.receipt(request);
    return { kind: 'taken' };
  } catch (error) {
    if (error instanceof CarillonUnreachable) return { kind: 'again', afterMs: 0 };
    if (!(error instanceof CarillonError)) throw error;
    const kind = receiptOutcome(error.code);
    if (kind === 'again') return { kind, afterMs: (error.retryAfterSeconds ?? 0) * 1_000 };
    return kind === 'refused' ? { kind, problem: error } : { kind };
  }
}
