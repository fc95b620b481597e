import type { CommandNode, CompletionOption } from './command-tree.ts';

/**
 * Returns the completion script for bash 4 or newer. Bash splits words at `@` and `:`, so a file name after `@` is a
 * separate word.
 */
export function bashScript(nodes: readonly CommandNode[]): string {
  const rows = (toRow: (node: CommandNode) => string) => nodes.map(toRow).filter(Boolean).join('\n');
  const wordsOf = ({ path, words }: CommandNode) =>
    words.length === 0 ? '' : `    ${quote(path)}) echo ${quote(words.map(({ word }) => word).join(' '))} ;;`;
  const optionsOf = ({ path, options }: CommandNode) =>
    `    ${quote(path)}) echo ${quote(options.map(({ word }) => word).join(' '))} ;;`;
  const valuesOf = ({ path, options }: CommandNode) =>
    options
      .filter(({ value }) => value !== 'none')
      .map((option) => `    ${quote(`${path} ${option.word}`)}) echo ${quote(toValues(option))} ;;`)
      .join('\n');
  return `# Completion for carillon in bash. Load it with: source <(carillon completion bash)

# Prints the words that can follow a command: subcommands, or the choices of an argument.
_carillon_words() {
  case "$1" in
${rows(wordsOf)}
  esac
}

_carillon_options() {
  case "$1" in
${rows(optionsOf)}
  esac
}

# Prints the number of values of an option (one or several), followed by its choices.
_carillon_values() {
  case "$1" in
${rows(valuesOf)}
  esac
}

_carillon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' option='' previous='' word values
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == -* ]]; then
      option=$word
    elif [[ $previous == -* && -n $(_carillon_values "$path $previous") ]] || [[ $previous == @ ]]; then
      [[ $word == @ || $(_carillon_values "$path $option") == several* ]] || option=''
    elif [[ " $(_carillon_words "$path") " == *" $word "* ]]; then
      path="\${path:+$path }$word"
      option=''
    fi
    previous=$word
  done
  COMPREPLY=()
  if [[ $previous == @ || $current == @* ]]; then
    # Readline always treats the @ as part of the word, so each completion must start with it.
    while IFS= read -r word; do
      [[ -d $word ]] && word+=/ && compopt -o nospace 2>/dev/null
      COMPREPLY+=("@$(printf %q "$word")")
    done < <(compgen -f -- "\${current#@}")
    return
  fi
  if [[ -n $option && $current != -* ]]; then
    values=$(_carillon_values "$path $option")
    if [[ -n $values ]]; then
      mapfile -t COMPREPLY < <(compgen -W "\${values#* }" -- "$current")
      return
    fi
  fi
  values=$(_carillon_words "$path")
  [[ $current == -* || -z $values ]] && values=$(_carillon_options "$path")
  mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
}

complete -F _carillon carillon
`;
}

const toValues = ({ value, choices }: CompletionOption): string => `${value} ${choices.join(' ')}`;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
