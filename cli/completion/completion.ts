import { Argument, type Command } from 'commander';
import { bashScript } from './bash.ts';
import { commandTreeOf } from './command-tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript };

/** Adds `carillon completion`, which prints the completion script for a shell. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('Print the completion script for bash or zsh')
    .description(
      'Prints a script that lets the shell complete commands, options and values. In ~/.bashrc: source <(carillon completion bash). In ~/.zshrc, after compinit: source <(carillon completion zsh).',
    )
    .usage('bash|zsh')
    .addArgument(new Argument('<shell>', 'Name of the shell.').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](commandTreeOf(program)));
    });
}
