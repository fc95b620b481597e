/** Properties of the terminal behind an output stream. */
export interface Terminal {
  /** Whether the output is an interactive terminal on which lines can be overwritten. */
  readonly live: boolean;
  readonly columns: number;
  readonly colour: boolean;
  /** Whether the terminal can show characters beyond ASCII. */
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the properties of a stream. `NO_COLOR` disables colours if it is set to a non-empty value
 * (https://no-color.org).
 */
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

/** Returns the width of a terminal. Returns infinity for files and pipes, and for a terminal that reports 0. */
export const columnsOf = (stream: NodeJS.WriteStream): number => stream.columns || Number.POSITIVE_INFINITY;

const colours = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 } as const;
export type Colour = keyof typeof colours;

export const paint = ({ colour }: Pick<Terminal, 'colour'>, name: Colour, text: string): string =>
  colour && text !== '' ? `\u001b[${colours[name]}m${text}\u001b[0m` : text;
