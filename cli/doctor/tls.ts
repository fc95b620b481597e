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
      const advice = 'Renew it, and reload whatever shows it (the proxy, or the gateway by itself within seconds).';
      const expiry = findingOfExpiry(check, `The certificate of ${host}:${port}`, expiresAt, new Date(), advice);
      if (socket.authorized || expiry.state === 'wrong') return end(expiry);
      const reason = reasonOf(socket.authorizationError);
      return end(
        warning(
          check,
          `The certificate of ${host}:${port} is not trusted here: ${reason}.`,
          'Show the whole chain, or let clients trust your own authority: NODE_EXTRA_CA_CERTS=/path/ca.pem.',
        ),
      );
    });
    socket.once('timeout', () =>
      end(wrong(check, `${host}:${port} does not answer.`, 'Check host, port and firewall.')),
    );
    socket.once('error', (error) =>
      end(
        wrong(
          check,
          `No TLS at ${host}:${port}: ${reasonOf(error)}.`,
          'Look whether this port speaks TLS; if not, write the address without the s (http, mqtt, ws).',
        ),
      ),
    );
  });
}
