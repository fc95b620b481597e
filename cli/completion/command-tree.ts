import type { Command, Option } from 'commander';

/** A word with what it means. */
export interface Word {
  readonly word: string;
  readonly meaning: string;
}

export interface OptionWord extends Word {
  /** Whether the next word is its value, and those behind it too. */
  readonly value: 'none' | 'one' | 'several';
  readonly choices: readonly string[];
}

/** A place on the command line: what may come after these words. */
export interface Place {
  /** Such as `push send`; empty for the program itself. */
  readonly path: string;
  /** Commands, or the words that an argument may be. */
  readonly words: readonly Word[];
  readonly options: readonly OptionWord[];
}

/** Every place, the program's first. */
export function treeOf(program: Command): Place[] {
  return placesOf(program, '', program.options.map(toWord));
}

function placesOf(command: Command, path: string, everywhere: readonly OptionWord[]): Place[] {
  const commands = command.createHelp().visibleCommands(command);
  const own = command.parent ? command.options.map(toWord) : [];
  const words = [
    ...commands.map((inner) => ({ word: inner.name(), meaning: shorten(inner.summary() || inner.description()) })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word) => ({ word, meaning: '' }))),
  ];
  const help: OptionWord = { word: '--help', meaning: 'Show help', value: 'none', choices: [] };
  return [
    { path, words, options: [...own, ...everywhere, help] },
    ...commands.flatMap((inner) => placesOf(inner, path === '' ? inner.name() : `${path} ${inner.name()}`, everywhere)),
  ];
}

function toWord({ long, short, description, required, optional, variadic, argChoices }: Option): OptionWord {
  const value = variadic ? 'several' : required || (optional && argChoices) ? 'one' : 'none';
  return { word: long ?? short ?? '', meaning: shorten(description), value, choices: argChoices ?? [] };
}

const MEANING_CHARACTERS_MAX = 60;

/** The first sentence, in a line. */
function shorten(text: string): string {
  const [sentence = ''] = text.replaceAll(/[`\s]+/g, (run) => (run.includes('`') ? '' : ' ')).split(/[.;:] /);
  const line = sentence.replace(/\.$/, '');
  return line.length <= MEANING_CHARACTERS_MAX ? line : `${line.slice(0, MEANING_CHARACTERS_MAX - 1).trimEnd()}…`;
}
