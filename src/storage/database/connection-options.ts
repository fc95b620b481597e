import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { isLoopback } from '#src/foundation/public-address.ts';
import { SettingsError } from '#src/foundation/settings.ts';

/** The parameters of a URL that concern TLS, which the driver must not interpret itself. */
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl'] as const;

/**
 * Returns the options of a connection to the server of a URL. A connection to another machine uses TLS and verifies the
 * server's certificate and name, unless the URL contains `sslmode=disable`. A connection to this machine uses TLS only
 * if the URL contains another `sslmode`.
 */
export function connectionOptions(url: string): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const parsed = URL.parse(url);
  if (!parsed) return { connectionString: url }; // a Unix socket in a form that is not a URL
  const host = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  const [mode, caFile, certificateFile, keyFile] = TLS_PARAMETERS.map((name) => parsed.searchParams.get(name));
  for (const name of TLS_PARAMETERS) parsed.searchParams.delete(name);
  const connectionString = parsed.href;
  const isLocal = host === '' || host.startsWith('/') || isLoopback(host);
  if (mode === 'disable' || (isLocal && !mode)) return { connectionString, ssl: false };
  return {
    connectionString,
    ssl: {
      host: host.replace(/^\[(.*)\]$/, '$1'), // the name that the certificate must have
      ...(caFile && { ca: readFile(caFile, 'sslrootcert') }),
      ...(certificateFile && { cert: readFile(certificateFile, 'sslcert') }),
      ...(keyFile && { key: readFile(keyFile, 'sslkey') }),
    },
  };
}

/** Returns whether connections to another machine are not encrypted. */
export const isUnencrypted = (url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? '';
  return host !== '' && !decodeURIComponent(host).startsWith('/') && !isLoopback(host) && !connectionOptions(url).ssl;
};

function readFile(path: string, parameter: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new SettingsError([`The file \`${path}\` in \`${parameter}\` of a database URL cannot be read (${reason})`]);
  }
}
