import type { CommandNode, CompletionOption, CompletionWord } from './command-tree.ts';

/** Returns the completion script for zsh, with a description of each word. */
export function zshScript(nodes: readonly CommandNode[]): string {
  const rows = (toRow: (node: CommandNode) => string) => nodes.map(toRow).filter(Boolean).join('\n');
  const describe = (words: readonly CompletionWord[]) =>
    words.map(({ word, description }) => quote(description === '' ? word : `${word}:${description}`)).join(' ');
  const wordsOf = ({ path, words }: CommandNode) =>
    words.length === 0 ? '' : `    ${quote(path)}) reply=(${describe(words)}) ;;`;
  const optionsOf = ({ path, options }: CommandNode) => `    ${quote(path)}) reply=(${describe(options)}) ;;`;
  const valuesOf = ({ path, options }: CommandNode) =>
    options
      .filter(({ value }) => value !== 'none')
      .map((option) => `    ${quote(`${path} ${option.word}`)}) reply=(${toValues(option)}) ;;`)
      .join('\n');
  return `#compdef carillon
# Completion for carillon in zsh. Load it with: source <(carillon completion zsh)

# Sets reply to the words that can follow a command: subcommands, or the choices of an argument.
_carillon_words() {
  reply=()
  case "$1" in
${rows(wordsOf)}
  esac
}

_carillon_options() {
  reply=()
  case "$1" in
${rows(optionsOf)}
  esac
}

# Sets reply to the number of values of an option (one or several), followed by its choices.
_carillon_values() {
  reply=()
  case "$1" in
${rows(valuesOf)}
  esac
}

_carillon() {
  local current="\${words[CURRENT]}" place='' option='' previous='' word
  local -a reply
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ $word == -* ]]; then
      option=$word
    else
      _carillon_values "$place $previous"
      if (( \${#reply} )); then
        [[ $reply[1] == several ]] || option=''
      else
        _carillon_words "$place"
        if (( \${reply[(I)$word(|:*)]} )); then
          place="\${place:+$place }$word"
          option=''
        fi
      fi
    fi
    previous=$word
  done
  if [[ $current == @* ]]; then
    compset -P '@'
    _files
    return
  fi
  if [[ -n $option && $current != -* ]]; then
    _carillon_values "$place $option"
    if (( \${#reply} )); then
      (( \${#reply} > 1 )) && compadd -- "\${(@)reply[2,-1]}"
      return
    fi
  fi
  _carillon_words "$place"
  if [[ $current == -* ]] || (( ! \${#reply} )); then
    _carillon_options "$place"
    _describe -o 'option' reply
  else
    _describe 'command' reply
  fi
}

if [[ "\${funcstack[1]}" == _carillon ]]; then
  _carillon "$@"
else
  compdef _carillon carillon
fi
`;
}

const toValues = ({ value, choices }: CompletionOption): string => [value, ...choices].map(quote).join(' ');

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
