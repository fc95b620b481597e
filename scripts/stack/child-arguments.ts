import { fileURLToPath } from 'node:url';

/**
 * Arguments of Node.js for a child process that ends when this process ends, also when this process is killed. The
 * standard input of the child must be a pipe.
 */
export const childArguments: readonly string[] = [
  '--import',
  fileURLToPath(new URL('./end-with-parent.ts', import.meta.url)),
];
