import { once } from 'node:events';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ServerIdentity } from './certificate.ts';
import { Connection, STREAMS_BEFORE_TOKEN_MAX, type Surroundings } from './connection.ts';

export type Listener = { readonly url: string; stop(): Promise<void> };

const CONNECTIONS_MAX = 1000; // more means that a sender leaks them

/** The HTTP/2 server of one environment. Only `h2` over TLS, like Apple: no HTTP/1.1, no clear text. */
export async function startListener(
  surroundings: Surroundings,
  identity: ServerIdentity,
  port: number,
): Promise<Listener> {
  const server = createSecureServer({
    key: identity.keyPem,
    cert: identity.certificatePem,
    minVersion: 'TLSv1.2',
    requestCert: true,
    rejectUnauthorized: false, // a certificate that is not ours is told so in an answer
    allowHTTP1: false,
    settings: { maxConcurrentStreams: STREAMS_BEFORE_TOKEN_MAX },
  });
  server.maxConnections = CONNECTIONS_MAX;

  // TLS hides the socket below it, and only that one can be reset. Both know the sender's port.
  const sockets = new Map<number | undefined, Socket>();
  server.on('connection', (socket: Socket) => {
    const senderPort = socket.remotePort;
    sockets.set(senderPort, socket);
    socket.once('close', () => sockets.delete(senderPort));
  });

  const { environment, counts } = surroundings;
  server.on('session', (session) => {
    const senderPort = session.socket.remotePort;
    const shown = (session.socket as TLSSocket).getPeerX509Certificate();
    const reset = () => sockets.get(senderPort)?.resetAndDestroy();
    const connection = new Connection(session, surroundings, shown, reset);
    counts.opened(environment);
    session.once('close', () => counts.closed(environment));
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
        void connection.serve(stream, headers, rawHeaders);
      },
    );
  });

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `https://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}
