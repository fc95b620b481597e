import { printable } from '../printable.ts';
import { alignTable, type Cell, wrapText } from '../table.ts';
import { printChannel } from '../vendor-names.ts';
import { type ChannelPreview, printPreviews } from './previews.ts';

/** The response of `/push/validate`. Lists of sentences that a newer service adds are printed too. */
export interface Reach extends Readonly<Record<string, unknown>> {
  readonly devices: bigint;
  readonly first: Readonly<Record<string, bigint>>;
  readonly waiting: bigint;
  readonly unreachable: bigint;
  /** Missing in the response of an older service. */
  readonly previews?: readonly ChannelPreview[];
}

/** Describes the reach of a notification in sentences and a table. */
export function printReach(reach: Reach, columns: number): string[] {
  const { devices, first, waiting, unreachable } = reach;
  const activeChannels = Object.entries(first).filter(([, count]) => count > 0n);
  const right = (count: bigint): Cell => ({ text: count.toString(), right: true });
  const table = alignTable(
    ['first channel', 'devices'],
    activeChannels.map(([channel, count]) => [{ text: printable(printChannel(channel)) }, right(count)]),
  );
  const sentences = [
    devices === 0n ? NO_DEVICE : `The notification would be sent to ${devicesOf(devices)}.`,
    ...(waiting > 0n ? [`On the Carillon channel, ${waiting} of them would receive it when they connect.`] : []),
    ...(unreachable > 0n ? [`${devicesOf(unreachable)} cannot be reached: ${UNREACHABLE}`] : []),
  ];
  const wrap = (line: string) => wrapText(line, columns);
  return [
    ...sentences.slice(0, 1).flatMap(wrap),
    ...(activeChannels.length > 0 ? ['', ...table.map((line) => `  ${line}`), ''] : []),
    ...sentences.slice(1).flatMap(wrap),
    ...listsOf(reach, columns),
    'Nothing was sent.',
  ];
}

const NO_DEVICE =
  'The audience contains no devices. `carillon device list --as-user <id>` lists the devices of a user.';
const UNREACHABLE =
  'they have no vendor token for a vendor with saved credentials, or --strategy excludes all their channels. `carillon certificate list` shows the saved credentials.';

/** Explains why a notification reaches no device. Undefined if it reaches at least one. */
export function explainNoDevice({ devices, unreachable }: Reach): string | undefined {
  if (devices === 0n) return NO_DEVICE;
  return unreachable === devices ? `None of the devices can be reached: ${UNREACHABLE}` : undefined;
}

const devicesOf = (count: bigint): string => `${count} ${count === 1n ? 'device' : 'devices'}`;

const titles: Readonly<Record<string, string>> = {
  cuts: 'Would be cut:',
  demotions: 'Would be demoted or capped:',
  ignored: 'Unknown fields, which are ignored:',
};

/**
 * Returns the previews, and every list of sentences in the response, under its name. An item is a string or `{channel,
 * text}`. The notes of the previews contain the sentences of `cuts` and `demotions`.
 */
function listsOf({ previews, ...reach }: Reach, columns: number): string[] {
  const { cuts: _, demotions: __, ...otherLists } = reach;
  if (previews && previews.length > 0)
    return ['Previews:', ...printPreviews(previews, columns), ...sentencesOf(otherLists, columns)];
  return sentencesOf(reach, columns);
}

function sentencesOf(lists: Readonly<Record<string, unknown>>, columns: number): string[] {
  return Object.entries(lists).flatMap(([name, list]) => {
    if (!Array.isArray(list) || list.length === 0) return [];
    return [
      titles[name] ?? `${printable(name)}:`,
      ...list.flatMap((item) => wrapText(toSentence(item), columns - 2)).map((line) => `  ${line}`),
    ];
  });
}

function toSentence(item: unknown): string {
  if (typeof item !== 'object' || item === null) return printable(String(item));
  const { channel, text, ...rest } = item as Record<string, unknown>;
  const sentence = text === undefined ? Object.values(rest).map(String).join(' ') : String(text);
  return printable(channel === undefined ? sentence : `${printChannel(String(channel))}: ${sentence}`);
}
