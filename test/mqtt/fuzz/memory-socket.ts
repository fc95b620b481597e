import { type Duplex, duplexPair } from 'node:stream';
import type { DeviceSocket } from '#src/gateway/listeners/device-socket.ts';

/** Returns both ends of an in-process connection: Node's streams with the additional methods of a socket. */
export function connectInMemory(): { client: Duplex; server: DeviceSocket & Duplex } {
  const [client, duplex] = duplexPair();
  const server = Object.assign(duplex, {
    destroySoon() {
      if (duplex.writable) duplex.end();
      if (duplex.writableFinished) duplex.destroy();
      else duplex.once('finish', () => duplex.destroy());
    },
  });
  return { client, server };
}
