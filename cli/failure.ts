import { CommanderError } from 'commander';
import { CarillonError, CarillonUnreachable } from '../sdk/src/index.ts';
import { adviceForDemo } from './demo-address.ts';
import { printable } from './printable.ts';

/** Wrong usage of the command. `message` contains the next step. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Failure of a valid command. `message` contains the next step. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** Exit codes. The help lists them too. */
export const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;
export const EXIT_UNREACHABLE = 3;
export const EXIT_TIMED_OUT = 4;
/** A task has no recipients. */
export const EXIT_NO_DEVICE = 5;
/** 128 plus the number of the signal, as in shells. */
export const EXIT_INTERRUPTED = 130;
export const EXIT_TERMINATED = 143;

/** Writes a failure as one line. Returns the exit code. Rethrows unexpected errors, because they are bugs. */
export function reportFailure(error: unknown, writeLine: (line: string) => void): number {
  // Commander has already printed the error. A request for help is not an error.
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
    writeLine([error.code, printable(error.message), adviceFor(error), requestIdOf(error)].filter(Boolean).join(' '));
    return EXIT_REFUSED;
  }
  if (error instanceof CarillonUnreachable) {
    const nextStep = adviceForDemo(error.message) ?? 'Check --url, or CARILLON_URL.';
    writeLine(`unreachable: ${printable(error.message)} ${nextStep}`);
    return EXIT_UNREACHABLE;
  }
  throw error;
}

/** An internal error already contains the ID in its message. */
const requestIdOf = ({ requestId, message }: CarillonError): string | undefined =>
  requestId === undefined || message.includes(requestId) ? undefined : `Request ID: ${printable(requestId)}.`;

const CHECK_TOKEN = 'Check --token, or CARILLON_ADMIN_TOKEN.';

/**
 * Next steps by error code. They refer to options of this command, so the messages of the service cannot contain them.
 */
const advice: Readonly<Record<number, string>> = {
  402: CHECK_TOKEN,
  10003: CHECK_TOKEN,
  10006: 'The service may be older than this command. Use the same version of both.',
  10008: CHECK_TOKEN,
  40000: 'Check --app, or CARILLON_APP_ID.',
  50000: 'Check the log of the service for errors at the time of this request.',
};

export function adviceFor({ code, retryAfterSeconds }: CarillonError): string | undefined {
  return retryAfterSeconds === undefined ? advice[code] : `Try again in ${retryAfterSeconds} s.`;
}
