import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP relay between a proxy and an API process, which can drop responses. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Port that the relay forwards to. */
  target: number;
  /** While true, the relay forwards requests but closes the connection before it returns a response. */
  dropsResponses: boolean;
  /** Number of lost responses. */
  droppedCount: number;
}

export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    const api = keep(connect(relay.target, '127.0.0.1'));
    client.pipe(api);
    api.on('data', (chunk) => {
      if (relay.dropsResponses) {
        relay.droppedCount++;
        client.destroy();
        api.destroy();
      } else client.write(chunk);
    });
    api.once('close', () => client.destroySoon());
    client.once('close', () => api.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    target,
    dropsResponses: false,
    droppedCount: 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return relay;
}
