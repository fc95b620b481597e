import { alignTable, type Cell, wrapText } from '../table.ts';
import { type Colour, paint, type Terminal } from '../terminal.ts';
import { printChannel } from '../vendor-names.ts';
import { drawBar, signsOf } from './bar.ts';
import {
  type Counts,
  describeState,
  describeWaiting,
  explainNoRecipient,
  hasEnded,
  hasNoRecipient,
  type Progress,
  traceHint,
} from './progress.ts';

/** Status of the polling, which a frame shows in addition to the counters. */
export interface FrameStatus {
  readonly seconds: number;
  /** Seconds since the last change. */
  readonly unchangedSeconds: number;
  /** Error of the last poll. Undefined if it succeeded. */
  readonly error: string | undefined;
}

/** Seconds without a change after which a notice explains the wait. */
const UNCHANGED_NOTICE_SECONDS = 10;
const BAR_COLUMNS_MIN = 8;
/** Maximum width of a frame. Wider bars do not show more. */
const FRAME_COLUMNS_MAX = 160;
/** Width of the longest channel name, so that the columns do not move when that channel is added. */
const NAME_COLUMNS_MIN = 'nativepush'.length;
const GAP = '  ';

/** Draws the state of a task. Every line is narrower than the terminal, so that none is wrapped. */
export function drawFrame(progress: Progress, status: FrameStatus, terminal: Terminal): string[] {
  const columns = Math.min(terminal.columns - 1, FRAME_COLUMNS_MAX);
  const notices = [...noticesFor(progress, status), ...(status.error === undefined ? [] : [status.error])];
  return [
    headOf(progress, status, columns, terminal),
    ...(progress.channels.size === 0 ? [] : drawChannels([...progress.channels], columns, terminal)),
    ...notices.flatMap((notice) => wrapText(notice, columns, { everywhere: true })),
  ];
}

const stateColours: Readonly<Record<Progress['state'], Colour>> = {
  held: 'yellow',
  sending: 'bold',
  finished: 'green',
  cancelled: 'yellow',
};

function headOf(progress: Progress, { seconds }: FrameStatus, columns: number, terminal: Terminal): string {
  const [task, state, time] = [
    `Task ${progress.taskId}: `,
    describeState(progress),
    // The duration of the command is not a result.
    hasEnded(progress) ? '' : `, ${printSeconds(seconds)}`,
  ];
  const fits = task.length + state.length + time.length <= columns;
  return `${task.slice(0, columns)}${paint(terminal, stateColours[progress.state], state.slice(0, Math.max(0, columns - task.length)))}${fits ? time : ''}`;
}

function drawChannels(channels: readonly (readonly [string, Counts])[], columns: number, terminal: Terminal): string[] {
  // The numbers are padded to the width of the largest target from the start, so that the columns do not move.
  const digits = Math.max(...channels.map(([, { target }]) => target.toString().length));
  const right = (count: bigint): Cell => ({ text: count.toString().padStart(digits), right: true });
  const names = alignTable(
    ['channel'],
    channels.map(([name]) => [{ text: printChannel(name) }]),
  );
  const numbers = alignTable(
    ['target', 'sent', 'received'],
    channels.map(([, { target, sent, received }]) => [right(target), right(sent), right(received)]),
  );
  const nameColumns = Math.max(NAME_COLUMNS_MIN, ...names.map((name) => name.length));
  const numberColumns = Math.max(...numbers.map((line) => line.length));
  const barColumns = columns - nameColumns - numberColumns - 2 * GAP.length;
  if (nameColumns + GAP.length + numberColumns > columns) return drawNarrow(channels, columns);
  const bars =
    barColumns < BAR_COLUMNS_MIN
      ? []
      : [legendOf(terminal, barColumns), ...channels.map(([, counts]) => drawBar(counts, barColumns, terminal))];
  return names.map((name, index) =>
    [name.padEnd(nameColumns), ...bars.slice(index, index + 1), numbers[index]].join(GAP),
  );
}

/** Draws channels on a terminal that is too narrow for columns of numbers. */
const drawNarrow = (channels: readonly (readonly [string, Counts])[], columns: number): string[] =>
  [
    'received/sent/target',
    ...channels.map(([name, { target, sent, received }]) => `${received}/${sent}/${target} ${printChannel(name)}`),
  ].map((line) => line.slice(0, columns));

function legendOf(terminal: Terminal, columns: number): string {
  const { received, sent, open } = signsOf(terminal);
  const legend = `${received} received  ${sent} sent  ${open} not sent`;
  return (legend.length <= columns ? legend : '').padEnd(columns);
}

function noticesFor(progress: Progress, { unchangedSeconds }: FrameStatus): string[] {
  if (hasNoRecipient(progress)) return [explainNoRecipient(progress)];
  if (progress.state !== 'sending') return [];
  const waiting = describeWaiting(progress);
  if (waiting !== undefined) return [waiting, traceHint(progress.taskId), STOP_HINT];
  if (unchangedSeconds < UNCHANGED_NOTICE_SECONDS) return [];
  return [`Nothing has changed for ${printSeconds(unchangedSeconds)}.`, traceHint(progress.taskId), STOP_HINT];
}

const STOP_HINT = 'Ctrl-C stops watching, not the task.';

/** Formats a duration: `7 s`, `2 min 7 s`, `3 h 2 min`. */
export function printSeconds(seconds: number): string {
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)];
  if (minutes === 0) return `${seconds} s`;
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes % 60} min`;
}
