import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Listener, listenAs, Sockets } from '../kit/loopback.ts';
import type { ServerIdentity } from '../kit/server-identity.ts';
import { Connection, type ConnectionContext, STREAMS_BEFORE_TOKEN_MAX } from './connection.ts';

const CONNECTIONS_MAX = 1000; // a sender that opens more connections is leaking them

/**
 * Starts the HTTP/2 server of one environment. Like Apple, it supports only `h2` over TLS: no HTTP/1.1, no plaintext.
 */
export async function startListener(
  context: ConnectionContext,
  identity: ServerIdentity,
  port: number,
): Promise<Listener> {
  const server = createSecureServer({
    key: identity.keyPem,
    cert: identity.certificatePem,
    minVersion: 'TLSv1.2',
    requestCert: true,
    rejectUnauthorized: false, // an unknown certificate is rejected in the response, not in the TLS handshake
    allowHTTP1: false,
    settings: { maxConcurrentStreams: STREAMS_BEFORE_TOKEN_MAX },
  });
  server.maxConnections = CONNECTIONS_MAX;

  const sockets = new Sockets(server);
  const { environment, counts } = context;
  server.on('session', (session) => {
    const senderPort = session.socket.remotePort;
    const clientCertificate = (session.socket as TLSSocket).getPeerX509Certificate();
    const reset = () => sockets.reset(senderPort);
    const connection = new Connection(session, context, clientCertificate, reset);
    counts.countOpened(environment);
    session.once('close', () => counts.countClosed(environment));
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
        void connection.serve(stream, headers, rawHeaders);
      },
    );
  });

  return listenAs(identity, server, port, sockets);
}
