import { setTimeout as sleep } from 'node:timers/promises';
import { type Carillon, CarillonError, CarillonUnreachable, stringifyJson } from '../../sdk/src/index.ts';
import { EXIT_INTERRUPTED, EXIT_STILL_GOING, EXIT_TERMINATED } from '../failure.ts';
import { printable } from '../printable.ts';
import { terminalOf } from '../terminal.ts';
import { drawFrame, printSeconds } from './frame.ts';
import { LiveScreen } from './live-screen.ts';
import { hasEnded, isSame, type Progress, readProgress } from './progress.ts';

const ASK_EVERY_MS = 1_000;
/** A service that restarts is back within this time. */
const TROUBLE_MS_MAX = 60_000;

/** How progress is told: bars on a terminal, lines elsewhere, JSON for programs. */
interface Teller {
  tell(progress: Progress | undefined, trouble: string | undefined): void;
  end(): void;
}

export interface WatchOptions {
  readonly json: boolean;
  /** Undefined: until it has ended. */
  readonly timeoutSeconds: number | undefined;
}

/**
 * Asks once a second how far a task has come, and tells it, until it has ended. Answers the exit code. `connect` makes
 * the client, which gives a call up when it is told to.
 */
export async function watchTask(
  connect: (stop: AbortSignal) => Promise<Carillon>,
  taskId: bigint,
  { json, timeoutSeconds }: WatchOptions,
): Promise<number> {
  const stop = new AbortController();
  let code = 0;
  const end = (exitCode: number) => () => {
    code = exitCode;
    stop.abort();
  };
  const interrupt = end(EXIT_INTERRUPTED);
  const terminate = end(EXIT_TERMINATED);
  process.once('SIGINT', interrupt).once('SIGTERM', terminate);
  const timer = timeoutSeconds === undefined ? undefined : setTimeout(end(EXIT_STILL_GOING), timeoutSeconds * 1_000);
  const teller = json ? new JsonTeller() : terminalOf(process.stdout).live ? new LiveTeller() : new LineTeller();
  try {
    await follow(await connect(stop.signal), taskId, teller, stop.signal);
  } finally {
    teller.end();
    clearTimeout(timer);
    process.off('SIGINT', interrupt).off('SIGTERM', terminate);
  }
  if (code === EXIT_STILL_GOING)
    process.stderr.write(`Not ended after ${printSeconds(timeoutSeconds ?? 0)}: carillon task watch ${taskId}\n`);
  return code;
}

async function follow(client: Carillon, taskId: bigint, teller: Teller, stop: AbortSignal): Promise<void> {
  let last: Progress | undefined;
  let answeredAt = performance.now();
  while (!stop.aborted) {
    let pauseMs = ASK_EVERY_MS;
    try {
      last = await readProgress(client, taskId);
      answeredAt = performance.now();
      teller.tell(last, undefined);
      if (hasEnded(last)) return;
    } catch (error) {
      if (stop.aborted) return;
      if (!passes(error) || performance.now() - answeredAt > TROUBLE_MS_MAX) throw error;
      pauseMs = waitOf(error) ?? ASK_EVERY_MS;
      teller.tell(last, `${printable(error.message)} Trying again.`);
    }
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Whether it may be better in a moment. */
const passes = (error: unknown): error is CarillonUnreachable | CarillonError =>
  error instanceof CarillonUnreachable ||
  (error instanceof CarillonError && [12029, 50000, 50003].includes(error.code));

const waitOf = (error: CarillonUnreachable | CarillonError): number | undefined =>
  error instanceof CarillonError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1_000 : undefined;

/** Draws in place. */
class LiveTeller implements Teller {
  readonly #screen = new LiveScreen(process.stdout);
  readonly #begun = performance.now();
  #changed = performance.now();
  #shown: Progress | undefined;
  readonly #redraw = () => this.#draw(undefined);

  constructor() {
    process.stdout.on('resize', this.#redraw);
  }

  tell(progress: Progress | undefined, trouble: string | undefined): void {
    if (progress && changesOf(this.#shown, progress).length > 0) this.#changed = performance.now();
    this.#shown = progress ?? this.#shown;
    this.#draw(trouble);
  }

  end(): void {
    process.stdout.off('resize', this.#redraw);
    this.#screen.end();
  }

  #draw(trouble: string | undefined): void {
    if (!this.#shown) return;
    const secondsSince = (at: number) => Math.floor((performance.now() - at) / 1_000);
    const moment = { seconds: secondsSince(this.#begun), stillSeconds: secondsSince(this.#changed), trouble };
    this.#screen.draw(drawFrame(this.#shown, moment, terminalOf(process.stdout)));
  }
}

/** A line for whatever is different. */
class LineTeller implements Teller {
  #last: Progress | undefined;

  tell(progress: Progress | undefined, trouble: string | undefined): void {
    if (trouble !== undefined) process.stderr.write(`${trouble}\n`);
    if (!progress) return;
    for (const line of changesOf(this.#last, progress)) process.stdout.write(`${line}\n`);
    this.#last = progress;
  }

  end(): void {}
}

/** The whole state in a line of JSON, whenever anything is different. */
class JsonTeller implements Teller {
  #last: Progress | undefined;

  tell(progress: Progress | undefined, trouble: string | undefined): void {
    if (trouble !== undefined) process.stderr.write(`${trouble}\n`);
    if (!progress || changesOf(this.#last, progress).length === 0) return;
    const { taskId, state, channels } = progress;
    process.stdout.write(`${stringifyJson({ task_id: taskId, state, channels: Object.fromEntries(channels) })}\n`);
    this.#last = progress;
  }

  end(): void {}
}

function changesOf(last: Progress | undefined, { taskId, state, channels }: Progress): string[] {
  const changed = [...channels].filter(([channel, counts]) => !isSame(last?.channels.get(channel), counts));
  return [
    ...changed.map(
      ([channel, { target, sent, received }]) => `${channel}: target ${target}, sent ${sent}, received ${received}`,
    ),
    ...(state === last?.state ? [] : [`task ${taskId}: ${state}`]),
  ];
}
