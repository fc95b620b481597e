import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Finding, findingOfExpiry, reasonOf, wrong } from '../finding.ts';

interface TlsSettings {
  readonly CARILLON_MQTT_TLS_CERTIFICATE_FILE: string;
  readonly CARILLON_MQTT_TLS_KEY_FILE: string;
}

/** Checks the TLS certificate and key files of a gateway. */
export function* checkTlsFiles(settings: TlsSettings): Generator<Finding> {
  const { CARILLON_MQTT_TLS_CERTIFICATE_FILE: certificateFile, CARILLON_MQTT_TLS_KEY_FILE: keyFile } = settings;
  if (certificateFile === '') return;
  try {
    const certificate = new X509Certificate(readFileSync(certificateFile));
    const keyMatches = certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
    if (!keyMatches) {
      yield wrong(
        'gateway TLS',
        `${keyFile} is not the key of ${certificateFile}.`,
        'Replace the files with a certificate and its key.',
      );
      return;
    }
    const advice =
      'Replace the files with a renewed certificate and its key. The gateway loads them within seconds and keeps its sessions.';
    yield findingOfExpiry('gateway TLS', certificateFile, new Date(certificate.validTo), new Date(), advice);
  } catch (error) {
    yield wrong(
      'gateway TLS',
      `The TLS certificate of the gateway cannot be read: ${reasonOf(error)}.`,
      'Check CARILLON_MQTT_TLS_CERTIFICATE_FILE and CARILLON_MQTT_TLS_KEY_FILE. Both must be PEM files that this user can read, and the key must have no passphrase.',
    );
  }
}
