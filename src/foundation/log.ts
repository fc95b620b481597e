import { pino } from 'pino';
import { SecurityEvents } from './logging/security-events.ts';

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
  /**
   * Writes an event of the security stream: a login or request that was denied, or a revocation. The log level does not
   * apply. The number of lines per event and address is limited. Never pass a name or a value that a client has sent,
   * except a request ID that was checked.
   */
  security(event: string, fields: Fields & { readonly address?: string | undefined }): void;
  with(fields: Fields): Log;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The output of the security stream. */
export type SecurityOutput = 'stdout' | 'stderr';

export function createLog(options: { level: LogLevel; fields: Fields; security?: SecurityOutput }): Log {
  const format = {
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino({ ...format, level: options.level, base: options.fields });
  // The child shares the output of its parent, but not its level.
  const securityLogger =
    options.security === 'stderr'
      ? pino({ ...format, base: { ...options.fields, stream: 'security' } }, pino.destination({ fd: 2, sync: true }))
      : logger.child({ stream: 'security' }, { level: 'info' });
  const securityEvents = new SecurityEvents((event, fields) => securityLogger.info(toPrintable(fields), event));
  return wrap(logger, securityEvents);
}

/** A second line of defense: code must not log secrets, but fields with these names are masked anyway. IDs are not secret. */
const SECRET_FIELD = /password|secret|token(?!id$)|authorization|certificate|private_?key|(^|_)url$/i;
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

function wrap(logger: pino.Logger, securityEvents: SecurityEvents): Log {
  return {
    // The API logs every request at this level, so the fields are not converted if the level is off.
    debug: (event, fields = {}) => {
      if (logger.isLevelEnabled('debug')) logger.debug(toPrintable(fields), event);
    },
    info: (event, fields = {}) => logger.info(toPrintable(fields), event),
    warn: (event, fields = {}) => logger.warn(toPrintable(fields), event),
    error: (event, fields = {}) => logger.error(toPrintable(fields), event),
    security: (event, fields) => securityEvents.record(event, fields),
    with: (fields) => wrap(logger.child(toPrintable(fields) as object), securityEvents),
  };
}
