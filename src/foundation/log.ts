import { pino } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A log line is an event name and fields. `error` means that an operator must act. Conditions that recover
 * automatically are logged as `warn` or lower.
 */
export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  with(fields: Fields): Log;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export function createLog(options: { level: LogLevel; fields: Fields }): Log {
  const logger = pino({
    level: options.level,
    base: options.fields,
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
  return wrap(logger);
}

/** A second line of defense: code must not log secrets, but fields with these names are masked anyway. */
const SECRET_FIELD = /password|secret|token|authorization|certificate|private_?key|(^|_)url$/i;
/** Maximum depth of nested values. Deeper values are not useful in a log line and are replaced with `…`. */
const DEPTH_MAX = 5;

/** Returns fields in printable form: secrets masked, errors as name, message, stack and causes. */
function toPrintable(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.map((item) => toPrintable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      SECRET_FIELD.test(name) ? '[secret]' : toPrintable(field, depth + 1),
    ]),
  );
}

/**
 * Returns the name, message, stack, code and cause of an error. Other enumerable properties are omitted, because they
 * may contain query parameters.
 */
function describeError(error: Error, depth: number): unknown {
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined || depth >= DEPTH_MAX ? {} : { cause: toPrintable(error.cause, depth + 1) }),
  };
}

function wrap(logger: pino.Logger): Log {
  return {
    debug: (event, fields = {}) => logger.debug(toPrintable(fields), event),
    info: (event, fields = {}) => logger.info(toPrintable(fields), event),
    warn: (event, fields = {}) => logger.warn(toPrintable(fields), event),
    error: (event, fields = {}) => logger.error(toPrintable(fields), event),
    with: (fields) => wrap(logger.child(toPrintable(fields) as object)),
  };
}
