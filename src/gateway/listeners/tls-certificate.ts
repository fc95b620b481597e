import { constants, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { gatewayMetrics } from '../metrics.ts';

export interface CertificateFiles {
  /** PEM file with the certificate, followed by the intermediate certificates. */
  readonly certificate: string;
  readonly key: string;
}

/** A TLS certificate and its key in PEM format. */
interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/**
 * The files are polled, because file watching misses files that are remounted or whose symbolic link is replaced. A
 * pair is used only if two reads return the same contents, so that a half-written pair is ignored.
 */
const POLL_MS = 1_000;

/** Options of a TLS listener: TLS 1.2 or 1.3, without renegotiation. */
export type TlsOptions = SecureContextOptions & CertificateAndKey;

/**
 * Reads the certificate and key files. Throws if they cannot be used, because the gateway must not start without the
 * configured TLS.
 */
export async function readCertificate(files: CertificateFiles): Promise<TlsOptions> {
  const options = tlsOptionsOf(await readPair(files));
  recordExpiry(options);
  return options;
}

/** Calls `onChange` with each new pair. A pair that cannot be read or does not match is logged and ignored. */
export function watchCertificate(options: {
  files: CertificateFiles;
  current: CertificateAndKey;
  onChange: (tls: TlsOptions) => void;
  log: Log;
}): { stop(): Promise<void> } {
  const { files, onChange, log } = options;
  let lastHandled = fingerprintOf(options.current);
  let lastRead = lastHandled;

  const poll = async () => {
    const readResult = await readPair(files).catch((error: NodeJS.ErrnoException) => error);
    const previousRead = lastRead;
    lastRead = readResult instanceof Error ? `${readResult.code}` : fingerprintOf(readResult);
    if (lastRead !== previousRead || lastRead === lastHandled) return;
    lastHandled = lastRead;
    try {
      if (readResult instanceof Error) throw readResult;
      const tls = tlsOptionsOf(readResult);
      onChange(tls);
      log.info('tls-reloaded', recordExpiry(tls));
    } catch (error) {
      log.warn('tls-reload-rejected', { error });
    }
  };
  return repeat({ pauseMs: POLL_MS, work: poll, onError: (error) => log.warn('tls-reload-rejected', { error }) });
}

async function readPair(files: CertificateFiles): Promise<CertificateAndKey> {
  const [cert, key] = await Promise.all([readFile(files.certificate, 'utf8'), readFile(files.key, 'utf8')]);
  return { cert, key };
}

function tlsOptionsOf(pair: CertificateAndKey): TlsOptions {
  const options = { ...pair, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION } as const;
  createSecureContext(options); // throws if certificate and key do not match
  return options;
}

/** Records the expiry time of the certificate, and returns its subject and expiry date. */
function recordExpiry({ cert }: CertificateAndKey): { subject: string; validTo: string } {
  const { subject, validTo, validToDate } = new X509Certificate(cert);
  gatewayMetrics.certificateExpiry.set(validToDate.getTime() / 1_000);
  return { subject, validTo };
}

const fingerprintOf = ({ cert, key }: CertificateAndKey) => `${cert}\n${key}`;
