import { isIP, type Socket } from 'node:net';
import type { Networks } from '#src/foundation/networks.ts';
import { gatewayMetrics } from '../metrics.ts';
import { readProxyHeader } from './proxy-header.ts';

/** The proxies that are trusted to send the client address. */
export class TrustedProxies {
  readonly #networks: Networks;

  constructor(networks: Networks) {
    this.#networks = networks;
  }

  has(address: string | undefined): boolean {
    return this.#networks.has(address);
  }

  /**
   * Returns the client address from `X-Forwarded-For`. Each proxy appends the address it received the request from, so
   * the list is read from the end. The first address that is not a trusted proxy is the client, because a client can
   * forge all entries before it.
   */
  clientAddressOf(forwardedFor: string, proxy: string): string {
    let client = proxy;
    for (const next of forwardedFor.split(',').reverse()) {
      const address = next.trim();
      if (isIP(address) === 0) break;
      client = address;
      if (!this.has(address)) break;
    }
    return client;
  }
}

/**
 * Removes the PROXY protocol header from a proxy's connection and calls `onClient` with the client address. A
 * connection without a valid header is closed: otherwise all clients would share the proxy's address.
 */
export function consumeProxyHeader(socket: Socket, onClient: (address: string) => void): void {
  const proxy = socket.remoteAddress as string;
  let bytes: Buffer = Buffer.alloc(0);
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    bytes = Buffer.concat([bytes, chunk]); // at most a few hundred bytes; a longer header is malformed
    const header = readProxyHeader(bytes);
    if (header.kind === 'incomplete') return;
    socket.off('readable', onReadable);
    if (header.kind === 'malformed') {
      gatewayMetrics.refused.inc({ reason: 'proxy-header' });
      socket.destroy();
      return;
    }
    if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
    onClient(header.address ?? proxy);
  };
  socket.on('readable', onReadable);
}
