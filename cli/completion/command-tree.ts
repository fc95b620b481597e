import type { Command, Option } from 'commander';

/** A word with its description. */
export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

export interface CompletionOption extends CompletionWord {
  /** Whether the option has no value, one value or several values. */
  readonly value: 'none' | 'one' | 'several';
  readonly choices: readonly string[];
}

/** A command, with the words and options that can follow it. */
export interface CommandNode {
  /** The words of the command, such as `push send`, and the choice of its argument. Empty for the program. */
  readonly path: string;
  /** Subcommands, or the choices of an argument. */
  readonly words: readonly CompletionWord[];
  readonly options: readonly CompletionOption[];
}

/** Returns the program and all commands below it. */
export function commandTreeOf(program: Command): CommandNode[] {
  return commandNodesOf(program, '', program.options.map(toCompletionOption));
}

function commandNodesOf(command: Command, path: string, globalOptions: readonly CompletionOption[]): CommandNode[] {
  const commands = command.createHelp().visibleCommands(command);
  const ownOptions = command.parent ? command.options.map(toCompletionOption) : [];
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const words = [
    ...commands.map((inner) => ({ word: inner.name(), description: shorten(inner.summary() || inner.description()) })),
    ...choices.map((word) => ({ word, description: '' })),
  ];
  const help: CompletionOption = { word: '--help', description: 'Show help', value: 'none', choices: [] };
  const options = [...ownOptions, ...globalOptions, help];
  return [
    { path, words, options },
    // After the choice of an argument, the options of the command can follow.
    ...choices.map((word) => ({ path: `${path} ${word}`, words: [], options })),
    ...commands.flatMap((inner) =>
      commandNodesOf(inner, path === '' ? inner.name() : `${path} ${inner.name()}`, globalOptions),
    ),
  ];
}

function toCompletionOption({
  long,
  short,
  description,
  required,
  optional,
  variadic,
  argChoices,
}: Option): CompletionOption {
  const value = variadic ? 'several' : required || (optional && argChoices) ? 'one' : 'none';
  return { word: long ?? short ?? '', description: shorten(description), value, choices: argChoices ?? [] };
}

const DESCRIPTION_CHARACTERS_MAX = 60;

/** Returns the first sentence as one line of at most `DESCRIPTION_CHARACTERS_MAX` characters. */
function shorten(text: string): string {
  const [sentence = ''] = text.replaceAll(/[`\s]+/g, (run) => (run.includes('`') ? '' : ' ')).split(/[.;:] /);
  const line = sentence.replace(/\.$/, '');
  return line.length <= DESCRIPTION_CHARACTERS_MAX
    ? line
    : `${line.slice(0, DESCRIPTION_CHARACTERS_MAX - 1).trimEnd()}…`;
}
