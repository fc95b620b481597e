import type { Log } from '#src/foundation/log.ts';

/** Returns a log that appends its lines to an array. */
export function logTo(lines: string[]): Log {
  const write =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push([level, event, ...Object.values(fields)].join(' '));
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    security: write('security'),
    with: () => log,
  };
  return log;
}
