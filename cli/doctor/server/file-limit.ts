import { readFileSync } from 'node:fs';
import { type Finding, ok, warning } from '../finding.ts';

interface ConnectionSettings {
  readonly CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: number;
  readonly CARILLON_GATEWAY_UNOPENED_MAX: number;
}

/** Connections to PostgreSQL and NATS, log and libraries. */
const FILES_BESIDE = 200;

/** A connection is a file: a gateway that may open no more refuses devices. */
export function* checkFileLimit(settings: ConnectionSettings, limits = readLimits()): Generator<Finding> {
  const files = limits === undefined ? undefined : openFiles(limits);
  if (files === undefined) return; // Only Linux tells it like this.
  const { CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: sessions, CARILLON_GATEWAY_UNOPENED_MAX: unopened } = settings;
  const wanted = sessions + unopened + FILES_BESIDE;
  if (files >= wanted) {
    yield ok(
      'file limit',
      `A process started from here may open ${files === Number.POSITIVE_INFINITY ? 'any number of' : files} files.`,
    );
    return;
  }
  yield warning(
    'file limit',
    `A process started from here may open ${files} files, and a gateway with ${sessions} devices takes ${wanted}.`,
    `Say \`LimitNOFILE=${wanted}\` in its systemd unit (Docker: \`--ulimit nofile=${wanted}\`), or lower CARILLON_GATEWAY_SESSIONS_PER_APP_MAX.`,
  );
}

/** Node raises its own soft limit to the hard one when it starts, so the hard one counts, for a gateway too. */
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
