import { pino } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

/** A log line is an event name and fields. `error` means a person must act; what heals by itself is `warn` or less. */
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
    serializers: { error: describeError },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
  });
  return wrap(logger);
}

/** A second wall: secrets are not logged in the first place, and a field with such a name is masked anyway. */
const SECRET_FIELDS = ['password', 'token', 'authorization', '["access-token"]', 'certificate', 'app_secret', 'url'];

/** An error as fields, with its causes; never its own enumerable properties, which may hold parameters of a query. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

function wrap(logger: pino.Logger): Log {
  return {
    debug: (event, fields = {}) => logger.debug(fields, event),
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
    with: (fields) => wrap(logger.child(fields)),
  };
}
