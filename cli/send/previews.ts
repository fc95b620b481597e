import { printable } from '../printable.ts';
import { alignPairs, wrapText } from '../table.ts';
import { printChannel } from '../vendor-names.ts';

/** The fields of an entry in `previews` of `/push/validate` that are printed. */
export interface ChannelPreview {
  readonly channel: string;
  readonly environment: number | null;
  readonly devices: bigint;
  readonly title: string | null;
  readonly body: string | null;
  readonly dropped: readonly string[];
  readonly notes: readonly string[];
}

const INDENT = '    ';
/** The longest name of a line, with its colon and a space. */
const NAME_COLUMNS = 'not sent: '.length;

/** Prints what each channel would display and leave out. */
export function printPreviews(previews: readonly ChannelPreview[], columns: number): string[] {
  const wrap = (text: string) =>
    wrapText(printable(text), columns - INDENT.length - NAME_COLUMNS, { everywhere: true });
  return previews.flatMap(({ channel, environment, devices, title, body, dropped, notes }) => {
    const environmentText = environment === 0 ? ' (development)' : '';
    const devicesText =
      devices === 0n ? 'as a fallback' : `first for ${devices} ${devices === 1n ? 'device' : 'devices'}`;
    const pairs = [
      ...(title === null ? [] : [['title', wrap(shorten(title))] as const]),
      ...(body === null ? [] : [['body', wrap(shorten(body))] as const]),
      ...(dropped.length === 0 ? [] : [['not sent', wrap(dropped.join(', '))] as const]),
      ...notes.map((note) => ['note', wrap(note)] as const),
    ];
    return [
      `  ${printable(printChannel(channel))}${environmentText}, ${devicesText}`,
      ...(pairs.length === 0 ? [] : alignPairs(pairs).map((line) => `${INDENT}${line}`)),
    ];
  });
}

const graphemes = new Intl.Segmenter();
const START_CHARACTERS = 100;
const END_CHARACTERS = 40;

/** Shortens a long text in the middle, because a vendor cuts a text at its end. */
function shorten(text: string): string {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (characters.length <= START_CHARACTERS + END_CHARACTERS) return text;
  return `${characters.slice(0, START_CHARACTERS).join('')} [...] ${characters.slice(-END_CHARACTERS).join('')}`;
}
