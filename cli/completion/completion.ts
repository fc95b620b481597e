import { Argument, type Command } from 'commander';
import { bashScript } from './bash.ts';
import { commandTreeOf } from './command-tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript };

/** `carillon completion`: what a shell needs to complete commands, options and their values. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('Completion for bash and zsh')
    .description(
      'Prints a script that lets the shell complete commands, options and values. In ~/.bashrc: source <(carillon completion bash). In ~/.zshrc, after compinit: source <(carillon completion zsh).',
    )
    .usage('bash|zsh')
    .addArgument(new Argument('<shell>', 'Which shell.').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](commandTreeOf(program)));
    });
}
