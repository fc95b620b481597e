import { isIP, type Socket } from 'node:net';
import type { Networks } from '#src/foundation/networks.ts';
import { gatewayMetrics } from '../metrics.ts';
import { readProxyHeader } from './proxy-header.ts';

/** The proxies whose word is believed about where a connection comes from. */
export class TrustedProxies {
  readonly #networks: Networks;

  constructor(networks: Networks) {
    this.#networks = networks;
  }

  has(address: string | undefined): boolean {
    return this.#networks.has(address);
  }

  /**
   * Whose request it is, by `X-Forwarded-For`. Everybody on the way adds at the end whom they heard it from, so it is
   * read from there: the first one that is not a proxy of ours, since what stands before it anybody may have written.
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
 * Takes the header of the PROXY protocol off a connection of a proxy, and tells whose connection it is. One that begins
 * otherwise is closed: a proxy that forgets the header would lend its address to everybody.
 */
export function consumeProxyHeader(socket: Socket, onClient: (address: string) => void): void {
  const proxy = socket.remoteAddress as string;
  let bytes: Buffer = Buffer.alloc(0);
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    bytes = Buffer.concat([bytes, chunk]); // no more than a few hundred bytes, or it is malformed
    const header = readProxyHeader(bytes);
    if (header.kind === 'more') return;
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
