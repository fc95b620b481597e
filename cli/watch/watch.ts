import { setTimeout as sleep } from 'node:timers/promises';
import { type Carillon, CarillonError, CarillonUnreachable, stringifyJson } from '../../sdk/src/index.ts';
import { EXIT_INTERRUPTED, EXIT_NO_DEVICE, EXIT_TERMINATED, EXIT_TIMED_OUT } from '../failure.ts';
import { printable } from '../printable.ts';
import { terminalOf } from '../terminal.ts';
import { printChannel } from '../vendor-names.ts';
import { drawFrame, printSeconds } from './frame.ts';
import { LiveScreen } from './live-screen.ts';
import {
  describeState,
  describeWaiting,
  explainNoRecipient,
  hasEnded,
  hasNoRecipient,
  haveSameCounts,
  type Progress,
  readProgress,
  traceHint,
} from './progress.ts';

const POLL_MS = 1_000;
/**
 * Maximum time for which the service can be unreachable. A service that restarts is available again within this time.
 */
const UNREACHABLE_MS_MAX = 60_000;

/** Reports progress: bars on a terminal, lines elsewhere, or JSON for programs. */
interface ProgressReporter {
  report(progress: Progress | undefined, errorText: string | undefined): void;
  end(): void;
}

export interface WatchOptions {
  readonly json: boolean;
  /** Undefined if there is no timeout. */
  readonly timeoutSeconds: number | undefined;
}

/**
 * Polls a task once a second and reports its progress until it has ended. Returns the exit code. `connect` creates the
 * client, whose calls are aborted by the signal.
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
  const timer = timeoutSeconds === undefined ? undefined : setTimeout(end(EXIT_TIMED_OUT), timeoutSeconds * 1_000);
  const reporter = json
    ? new JsonReporter()
    : terminalOf(process.stdout).live
      ? new LiveReporter()
      : new LineReporter();
  let last: Progress | undefined;
  try {
    last = await pollTask(await connect(stop.signal), taskId, reporter, stop.signal);
  } finally {
    reporter.end();
    clearTimeout(timer);
    process.off('SIGINT', interrupt).off('SIGTERM', terminate);
  }
  if (code === EXIT_TIMED_OUT)
    process.stderr.write(`${explainTimeout(taskId, last, timeoutSeconds ?? 0).join('\n')}\n`);
  return code === 0 && last && hasNoRecipient(last) ? EXIT_NO_DEVICE : code;
}

function explainTimeout(taskId: bigint, last: Progress | undefined, timeoutSeconds: number): string[] {
  // On a terminal, the last frame contains it.
  const waiting = last && !terminalOf(process.stdout).live ? describeWaiting(last) : undefined;
  return [
    `The task has not ended after ${printSeconds(timeoutSeconds)}.`,
    ...(waiting === undefined ? [] : [waiting, traceHint(taskId)]),
    `To continue watching: carillon task watch ${taskId}`,
  ];
}

/** Returns the last progress that was read. */
async function pollTask(
  client: Carillon,
  taskId: bigint,
  reporter: ProgressReporter,
  stop: AbortSignal,
): Promise<Progress | undefined> {
  let last: Progress | undefined;
  let answeredAt = performance.now();
  while (!stop.aborted) {
    let pauseMs = POLL_MS;
    try {
      last = await readProgress(client, taskId);
      answeredAt = performance.now();
      reporter.report(last, undefined);
      if (hasEnded(last)) return last;
    } catch (error) {
      if (stop.aborted) return last;
      if (!isTransient(error) || performance.now() - answeredAt > UNREACHABLE_MS_MAX) throw error;
      pauseMs = retryAfterMs(error) ?? POLL_MS;
      reporter.report(last, `${printable(error.message)} Trying again.`);
    }
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
  return last;
}

/** Returns whether a retry may succeed. */
export const isTransient = (error: unknown): error is CarillonUnreachable | CarillonError =>
  error instanceof CarillonUnreachable ||
  (error instanceof CarillonError && [12029, 50000, 50003].includes(error.code));

const retryAfterMs = (error: CarillonUnreachable | CarillonError): number | undefined =>
  error instanceof CarillonError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1_000 : undefined;

/** Redraws the progress in place. */
class LiveReporter implements ProgressReporter {
  readonly #screen = new LiveScreen(process.stdout);
  readonly #startedAt = performance.now();
  #changedAt = performance.now();
  #lastShown: Progress | undefined;
  readonly #redraw = () => this.#draw(undefined);

  constructor() {
    process.stdout.on('resize', this.#redraw);
  }

  report(progress: Progress | undefined, errorText: string | undefined): void {
    if (progress && changesOf(this.#lastShown, progress).length > 0) this.#changedAt = performance.now();
    this.#lastShown = progress ?? this.#lastShown;
    this.#draw(errorText);
  }

  end(): void {
    process.stdout.off('resize', this.#redraw);
    this.#screen.end();
  }

  #draw(errorText: string | undefined): void {
    if (!this.#lastShown) return;
    const secondsSince = (at: number) => Math.floor((performance.now() - at) / 1_000);
    const status = {
      seconds: secondsSince(this.#startedAt),
      unchangedSeconds: secondsSince(this.#changedAt),
      error: errorText,
    };
    this.#screen.draw(drawFrame(this.#lastShown, status, terminalOf(process.stdout)));
  }
}

/** Prints a line for each change. */
class LineReporter implements ProgressReporter {
  #last: Progress | undefined;

  report(progress: Progress | undefined, errorText: string | undefined): void {
    if (errorText !== undefined) process.stderr.write(`${errorText}\n`);
    if (!progress) return;
    for (const line of changesOf(this.#last, progress)) process.stdout.write(`${line}\n`);
    if (hasNoRecipient(progress)) process.stderr.write(`${explainNoRecipient(progress)}\n`);
    this.#last = progress;
  }

  end(): void {}
}

/** Prints the whole state as a line of JSON after each change. */
class JsonReporter implements ProgressReporter {
  #last: Progress | undefined;

  report(progress: Progress | undefined, errorText: string | undefined): void {
    if (errorText !== undefined) process.stderr.write(`${errorText}\n`);
    if (!progress || changesOf(this.#last, progress).length === 0) return;
    const { taskId, state, channels, waiting, waitingUntil } = progress;
    const until = waitingUntil ? waitingUntil.getTime() : null;
    const json = { task_id: taskId, state, channels: Object.fromEntries(channels), waiting, waiting_until: until };
    process.stdout.write(`${stringifyJson(json)}\n`);
    this.#last = progress;
  }

  end(): void {}
}

function changesOf(last: Progress | undefined, progress: Progress): string[] {
  const { taskId, state, channels } = progress;
  const changed = [...channels].filter(([channel, counts]) => !haveSameCounts(last?.channels.get(channel), counts));
  const waiting = describeWaiting(progress);
  return [
    ...changed.map(
      ([channel, { target, sent, received }]) =>
        `${printChannel(channel)}: target ${target}, sent ${sent}, received ${received}`,
    ),
    ...(state === last?.state ? [] : [`task ${taskId}: ${describeState(progress)}`]),
    ...(waiting === undefined || progress.waiting === last?.waiting ? [] : [`${waiting} ${traceHint(taskId)}`]),
  ];
}
