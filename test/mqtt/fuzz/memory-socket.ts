import { type Duplex, duplexPair } from 'node:stream';
import type { DeviceSocket } from '#src/gateway/listeners/device-socket.ts';

/** Both ends of a connection that never leaves this process: node's own streams, with what a socket has besides. */
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
