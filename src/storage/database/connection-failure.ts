import type { Unavailable } from '#src/foundation/unavailable.ts';

/** A database to which no connection can be opened. */
export class ConnectionFailure extends Error {
  override name = 'ConnectionFailure';
  readonly url: string;

  constructor(url: string, cause: Error) {
    super(`No connection to ${addressOf(url).database} can be opened.`, { cause });
    this.url = url;
  }

  /** Returns one sentence for the operator. `setting` is the setting that contains the URL. */
  explain(setting: string): string {
    const { code, message } = this.cause as Error & { readonly code?: string };
    const reason = message || code || 'unknown error';
    return `${addressOf(this.url).database} cannot be used: ${reason}. ${connectionAdvice(code, setting)}`;
  }
}

/** Returns one sentence for the operator about a home database that a process could not open. */
export function explainHomeFailure({ cause, message }: Unavailable, url: string): string {
  return cause instanceof Error ? new ConnectionFailure(url, cause).explain('CARILLON_DATABASE_URL') : message;
}

/** Returns the next step for an error of PostgreSQL or of the connection to it. */
export function connectionAdvice(code: string | undefined, setting: string): string {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No process is listening on that address. Start PostgreSQL, or check ${setting}.`;
    case '28P01':
    case '28000':
      return `Check the user and password in ${setting}, and pg_hba.conf.`;
    case '3D000':
      return 'Create the database with `createdb`, then run `node src/bin/migrate.ts`.';
    case '53300':
      return 'All connections are in use. Raise max_connections, or use PgBouncer.';
    default:
      return `Check ${setting}, and that PostgreSQL is running and reachable from this machine.`;
  }
}

/**
 * Returns the host and port, without and with the database name. The rest of the URL is secret. A socket is identified
 * by its directory.
 */
export function addressOf(url: string): { readonly server: string; readonly database: string } {
  // The URL of a Unix socket may omit the host, but `URL.parse` requires a host.
  const address = URL.parse(url.replace('@/', '@local-socket/'));
  if (address === null) return { server: 'the server', database: 'The database' };
  const { hostname, pathname, searchParams } = address;
  const host = searchParams.get('host') ?? (hostname || 'local-socket');
  const port = searchParams.get('port') ?? address.port;
  const server = port ? `${host}:${port}` : host;
  return { server, database: `${server}${pathname}` };
}
