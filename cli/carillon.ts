#!/usr/bin/env node
import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { wrapText } from './table.ts';
import { columnsOf } from './terminal.ts';

// `carillon`: every operation of the interface as a command. `carillon --help` says how.

// Whoever reads our output may stop in the middle, as `head` does. That is no failure of ours.
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
