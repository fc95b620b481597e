#!/usr/bin/env node
import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { wrapText } from './table.ts';
import { columnsOf } from './terminal.ts';

// The command line of Carillon, with a command for each API operation. `carillon --help` describes its use.

// The reader of the output can close the pipe early, as `head` does. This is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, (line) => {
    process.stderr.write(`${wrapText(line, columnsOf(process.stderr)).join('\n')}\n`);
  });
}
