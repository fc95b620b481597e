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
interface Pair {
  readonly cert: string;
  readonly key: string;
}

/**
 * The files are read this often and not watched: watching misses what is mounted or linked anew. A pair counts when it
 * was found twice, so that one of which a half is written is not judged.
 */
const LOOK_MS = 1_000;

/** What a door is opened with: TLS 1.2 or 1.3, and nobody negotiates twice. */
export type TlsOptions = SecureContextOptions & Pair;

/** The pair in the files, or an error: there is no running without the one that was asked for. */
export async function readCertificate(files: CertificateFiles): Promise<TlsOptions> {
  const options = tlsOptionsOf(await readPair(files));
  announce(options);
  return options;
}

/** Tells of each new pair. One that cannot be read or does not fit changes nothing. */
export function watchCertificate(options: {
  files: CertificateFiles;
  current: Pair;
  onChange: (tls: TlsOptions) => void;
  log: Log;
}): { stop(): Promise<void> } {
  const { files, onChange, log } = options;
  let decided = keyOf(options.current);
  let seen = decided;

  const look = async () => {
    const found = await readPair(files).catch((error: NodeJS.ErrnoException) => error);
    const before = seen;
    seen = found instanceof Error ? `${found.code}` : keyOf(found);
    if (seen !== before || seen === decided) return;
    decided = seen;
    try {
      if (found instanceof Error) throw found;
      const tls = tlsOptionsOf(found);
      onChange(tls);
      log.info('certificate-changed', announce(tls));
    } catch (error) {
      log.warn('certificate-kept', { error });
    }
  };
  return repeat({ pauseMs: LOOK_MS, work: look, onError: (error) => log.warn('certificate-kept', { error }) });
}

async function readPair(files: CertificateFiles): Promise<Pair> {
  const [cert, key] = await Promise.all([readFile(files.certificate, 'utf8'), readFile(files.key, 'utf8')]);
  return { cert, key };
}

function tlsOptionsOf(pair: Pair): TlsOptions {
  const options = { ...pair, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION } as const;
  createSecureContext(options); // throws if the two do not belong together
  return options;
}

/** Tells until when it is good. */
function announce({ cert }: Pair): { subject: string; validTo: string } {
  const { subject, validTo, validToDate } = new X509Certificate(cert);
  gatewayMetrics.certificateExpiry.set(validToDate.getTime() / 1_000);
  return { subject, validTo };
}

const keyOf = ({ cert, key }: Pair) => `${cert}\n${key}`;
