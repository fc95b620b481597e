import type { Carillon } from '../client.ts';
import { CarillonError, CarillonUnreachable } from '../errors.ts';
import { pauseBefore } from './backoff.ts';
import type { Memory } from './persisted-state.ts';

/** As many as one call takes. */
const RECEIPTS_PER_CALL = 100;
/** Receipts that come together travel together. */
const GATHER_MS = 500;
/** When so many wait, the oldest are given up: an arrival then stays uncounted, and nothing else is lost. */
const WAITING_MAX = 1_000;

/** Codes that say that the token opens nothing: the receipts wait for another login. */
const SIGNED_OUT = new Set([402, 10003, 10008]);
/** Codes that say that it may be tried again: too many requests, a fault of the service, not now. */
const TRY_AGAIN = new Set([12029, 50000, 50003]);

interface ReceiptsOptions {
  readonly memory: Memory;
  readonly onProblem: (problem: Error) => void;
}

/** Tells Carillon what arrived by a vendor, until it is taken or refused. */
export class Receipts {
  readonly #options: ReceiptsOptions;
  #carillon: Carillon | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #telling = false;
  #failures = 0;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** From here on receipts are told by this caller; what waited goes first. Without one they wait. */
  use(carillon: Carillon | undefined): void {
    this.#carillon = carillon;
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tellIn(0);
  }

  /** Resolves when the receipt is kept; it is told soon after. */
  async add(reference: string): Promise<void> {
    const { memory } = this.#options;
    if (!memory.receipts.includes(reference)) memory.receipts.push(reference);
    memory.receipts.splice(0, memory.receipts.length - WAITING_MAX);
    this.#tellIn(GATHER_MS);
    await memory.save();
  }

  #tellIn(ms: number): void {
    if (this.#timer !== undefined || this.#telling || !this.#carillon || this.#options.memory.receipts.length === 0)
      return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#tell(this.#carillon as Carillon);
    }, ms);
  }

  async #tell(carillon: Carillon): Promise<void> {
    const { memory, onProblem } = this.#options;
    const list = memory.receipts.slice(0, RECEIPTS_PER_CALL);
    this.#telling = true;
    const outcome = await tell(carillon, list);
    this.#telling = false;
    if (outcome.kind === 'again') {
      this.#failures++;
      this.#tellIn(Math.max(pauseBefore('later', this.#failures), outcome.afterMs));
      return;
    }
    if (outcome.kind === 'signed-out') {
      if (this.#carillon === carillon) this.#carillon = undefined;
      this.#tellIn(0); // for whoever has logged in meanwhile
      return;
    }
    if (outcome.kind === 'refused') onProblem(outcome.problem);
    this.#failures = 0;
    const told = new Set(list);
    memory.receipts = memory.receipts.filter((reference) => !told.has(reference));
    this.#tellIn(0);
    await memory.save().catch((cause: unknown) => {
      onProblem(new Error('That receipts were taken could not be kept for later.', { cause }));
    });
  }
}

type Outcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly problem: Error }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'again'; readonly afterMs: number };

async function tell(carillon: Carillon, list: readonly string[]): Promise<Outcome> {
  try {
    await carillon.device.receipt({ list });
    return { kind: 'taken' };
  } catch (error) {
    if (error instanceof CarillonUnreachable) return { kind: 'again', afterMs: 0 };
    if (!(error instanceof CarillonError)) throw error;
    if (TRY_AGAIN.has(error.code)) return { kind: 'again', afterMs: (error.retryAfterSeconds ?? 0) * 1_000 };
    if (SIGNED_OUT.has(error.code)) return { kind: 'signed-out' };
    return { kind: 'refused', problem: error };
  }
}
