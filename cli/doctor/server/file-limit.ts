import { readFileSync } from 'node:fs';
import { type Finding, ok, warning } from '../finding.ts';

interface ConnectionSettings {
  readonly CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: number;
  readonly CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: number;
}

/** Number of files for connections to PostgreSQL and NATS, the log and libraries. */
const OTHER_FILES = 200;

/**
 * Compares the file limit with the gateway's settings. Every connection needs a file descriptor, and a gateway at its
 * limit rejects devices.
 */
export function* checkFileLimit(settings: ConnectionSettings, limits = readLimits()): Generator<Finding> {
  const files = limits === undefined ? undefined : openFiles(limits);
  if (files === undefined) return; // Only Linux has `/proc/self/limits`.
  const {
    CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: sessions,
    CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: pendingConnections,
  } = settings;
  const required = sessions + pendingConnections + OTHER_FILES;
  if (files >= required) {
    yield ok(
      'file limit',
      `A process started from this shell can open ${files === Number.POSITIVE_INFINITY ? 'any number of' : files} files.`,
    );
    return;
  }
  yield warning(
    'file limit',
    `A process started from this shell can open ${files} files, but a gateway with ${sessions} devices needs ${required}.`,
    `Set \`LimitNOFILE=${required}\` in its systemd unit (Docker: \`--ulimit nofile=${required}\`), or lower CARILLON_GATEWAY_SESSIONS_PER_APP_MAX.`,
  );
}

/**
 * Returns the hard limit, or undefined if it is missing. Node.js raises its soft limit to the hard limit at startup, so
 * only the hard limit matters.
 */
function openFiles(limits: string): number | undefined {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1];
  if (hard === undefined) return undefined;
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

function readLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined;
  }
}
