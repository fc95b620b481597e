import { CommanderError } from 'commander';
import { CarillonError, CarillonUnreachable } from '../sdk/src/index.ts';
import { printable } from './printable.ts';

/** The command was not given as it should be. `message` says what to do. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** It was understood and could not be done. `message` says what to do. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** How the command ends; the help says the same. */
export const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;
export const EXIT_UNREACHABLE = 3;
export const EXIT_TIMED_OUT = 4;
/** 128 and the number of the signal, as shells say it. */
export const EXIT_INTERRUPTED = 130;
export const EXIT_TERMINATED = 143;

/** Tells a failure in one line, and answers the exit code. What is our own mistake is thrown again. */
export function reportFailure(error: unknown, writeLine: (line: string) => void): number {
  // The library has told it already; asking for help is none.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof UsageError) {
    writeLine(`error: ${printable(error.message)}`);
    return EXIT_USAGE;
  }
  if (error instanceof CommandFailed) {
    writeLine(`error: ${printable(error.message)}`);
    return EXIT_REFUSED;
  }
  if (error instanceof CarillonError) {
    writeLine([error.code, printable(error.message), adviceFor(error)].filter(Boolean).join(' '));
    return EXIT_REFUSED;
  }
  if (error instanceof CarillonUnreachable) {
    writeLine(`unreachable: ${printable(error.message)} Check --url, or CARILLON_URL.`);
    return EXIT_UNREACHABLE;
  }
  throw error;
}

const CHECK_TOKEN = 'Check --token, or CARILLON_ADMIN_TOKEN.';

/** What to do about a code in the words of this command, where the service cannot know them. */
const advice: Readonly<Record<number, string>> = {
  402: CHECK_TOKEN,
  10003: CHECK_TOKEN,
  10006: 'The service may be older than this command.',
  10008: CHECK_TOKEN,
  40000: 'Check --app, or CARILLON_APP_ID.',
  50000: "The service's log says more.",
};

function adviceFor({ code, retryAfterSeconds }: CarillonError): string | undefined {
  return retryAfterSeconds === undefined ? advice[code] : `Try again in ${retryAfterSeconds} s.`;
}
