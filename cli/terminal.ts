/** What a stream of ours is shown on. */
export interface Terminal {
  /** Somebody looks at it, and lines that were written can be written over. */
  readonly live: boolean;
  readonly columns: number;
  readonly colour: boolean;
  /** Whether it can show more than ASCII. */
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `NO_COLOR` is asked for at https://no-color.org: present and not empty, whatever it says. */
export function terminalOf(stream: NodeJS.WriteStream, environment: Environment = process.env): Terminal {
  const live = stream.isTTY && environment.TERM !== 'dumb';
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  return {
    live,
    columns: columnsOf(stream),
    colour: live && !environment.NO_COLOR,
    unicode: /utf-?8/i.test(locale),
  };
}

/** A file or another program takes lines of any length. A terminal that does not know its width says 0. */
export const columnsOf = (stream: NodeJS.WriteStream): number => stream.columns || Number.POSITIVE_INFINITY;

const colours = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 } as const;
export type Colour = keyof typeof colours;

export const paint = ({ colour }: Pick<Terminal, 'colour'>, name: Colour, text: string): string =>
  colour && text !== '' ? `\u001b[${colours[name]}m${text}\u001b[0m` : text;
