import { constants, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { gatewayMetrics } from '../metrics.ts';

export interface CertificateFiles {
  /** PEM: the certificate, and behind it those that lead to a root. */
  readonly certificate: string;
  readonly key: string;
}

/** A certificate and its key, as text. */
interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/**
 * The files are read this often and not watched: watching misses what is mounted or linked anew. A pair counts when it
 * was found twice, so that one of which a half is written is not judged.
 */
const POLL_MS = 1_000;

/** What a door is opened with: TLS 1.2 or 1.3, and nobody negotiates twice. */
export type TlsOptions = SecureContextOptions & CertificateAndKey;

/** The pair in the files, or an error: there is no running without the one that was asked for. */
export async function readCertificate(files: CertificateFiles): Promise<TlsOptions> {
  const options = tlsOptionsOf(await readPair(files));
  recordExpiry(options);
  return options;
}

/** Tells of each new pair. One that cannot be read or does not fit changes nothing. */
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
  createSecureContext(options); // throws if the two do not belong together
  return options;
}

/** Tells until when it is good. */
function recordExpiry({ cert }: CertificateAndKey): { subject: string; validTo: string } {
  const { subject, validTo, validToDate } = new X509Certificate(cert);
  gatewayMetrics.certificateExpiry.set(validToDate.getTime() / 1_000);
  return { subject, validTo };
}

const fingerprintOf = ({ cert, key }: CertificateAndKey) => `${cert}\n${key}`;
