import { BlockList, isIP, type Socket } from 'node:net';
import { SettingsError } from '#src/foundation/settings.ts';
import { gatewayMetrics } from '../metrics.ts';
import { readProxyHeader } from './proxy-header.ts';

/** The proxies whose word is believed about where a connection comes from. */
export class Proxies {
  readonly #trusted = new BlockList();

  /** Addresses and networks, as `10.0.0.7` and `10.1.0.0/16`. */
  constructor(trusted: readonly string[]) {
    for (const [i, item] of trusted.entries()) this.#add(item, i + 1);
  }

  has(address: string | undefined): boolean {
    const family = isIP(address ?? '');
    return family !== 0 && this.#trusted.check(address as string, family === 6 ? 'ipv6' : 'ipv4');
  }

  /**
   * Whose request it is, by `X-Forwarded-For`. Everybody on the way adds at the end whom they heard it from, so it is
   * read from there: the first one that is not a proxy of ours, since what stands before it anybody may have written.
   */
  clientOf(forwardedFor: string, proxy: string): string {
    let client = proxy;
    for (const next of forwardedFor.split(',').reverse()) {
      const address = next.trim();
      if (isIP(address) === 0) break;
      client = address;
      if (!this.has(address)) break;
    }
    return client;
  }

  #add(item: string, number: number): void {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const family = isIP(address);
    const bitsMax = family === 6 ? 128 : 32;
    const bits = Number(prefix ?? bitsMax);
    if (family === 0 || bits > bitsMax)
      throw new SettingsError([
        `CARILLON_MQTT_TRUSTED_PROXIES: item ${number} is neither an address nor a network, as 10.0.0.7 or 10.1.0.0/16`,
      ]);
    this.#trusted.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/**
 * Takes the header of the PROXY protocol off a connection of a proxy, and tells whose connection it is. One that begins
 * otherwise is closed: a proxy that forgets the header would lend its address to everybody.
 */
export function takeProxyHeader(socket: Socket, onClient: (address: string) => void): void {
  const proxy = socket.remoteAddress as string;
  let bytes: Buffer = Buffer.alloc(0);
  const listen = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    bytes = Buffer.concat([bytes, chunk]); // no more than a few hundred bytes, or it is malformed
    const header = readProxyHeader(bytes);
    if (header.kind === 'more') return;
    socket.off('readable', listen);
    if (header.kind === 'malformed') {
      gatewayMetrics.refused.inc({ why: 'proxy-header' });
      socket.destroy();
      return;
    }
    if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
    onClient(header.address ?? proxy);
  };
  socket.on('readable', listen);
}
