import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Finding, findingOfExpiry, reasonOf, warning, wrong } from './finding.ts';

const RESPONSE_MS_MAX = 10_000;

/** Returns the server name for TLS. An IP address must not be sent as a server name [RFC 6066, 3]. */
export const serverName = (host: string): { servername?: string } => (isIP(host) === 0 ? { servername: host } : {});

/**
 * Checks the expiry date of a TLS port's certificate. An untrusted certificate is only a warning, because other clients
 * may trust it.
 */
export function checkTls(check: string, host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...serverName(host), rejectUnauthorized: false, timeout: RESPONSE_MS_MAX });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    socket.once('secureConnect', () => {
      const expiresAt = new Date(socket.getPeerCertificate().valid_to);
      const advice =
        'Renew the certificate and reload the proxy. A gateway reloads its certificate files within seconds.';
      const expiry = findingOfExpiry(check, `The TLS certificate of ${host}:${port}`, expiresAt, new Date(), advice);
      if (socket.authorized || expiry.state === 'wrong') return end(expiry);
      const reason = reasonOf(socket.authorizationError);
      return end(
        warning(
          check,
          `This machine does not trust the TLS certificate of ${host}:${port}: ${reason}.`,
          'Serve the complete certificate chain, or let clients trust your certificate authority: NODE_EXTRA_CA_CERTS=/path/ca.pem.',
        ),
      );
    });
    socket.once('timeout', () =>
      end(wrong(check, `${host}:${port} does not respond.`, 'Check the host, port and firewall.')),
    );
    socket.once('error', (error) =>
      end(
        wrong(
          check,
          `The TLS connection to ${host}:${port} failed: ${reasonOf(error)}.`,
          'Check that this port uses TLS. If it does not, use http, mqtt or ws in the URL.',
        ),
      ),
    );
  });
}
