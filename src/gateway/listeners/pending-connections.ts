import type { Socket } from 'node:net';
import { addressKeyOf } from '#src/foundation/address-key.ts';
import { TokenBucket } from '#src/foundation/token-bucket.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { DeviceSocket } from './device-socket.ts';

/** Limits for connections without a session. 0 means no limit. */
export interface PendingConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  readonly acceptsPerSecond: number;
}

/** An accepted connection that has no session yet. */
interface PendingConnection {
  readonly socket: Socket;
  /** Undefined for a connection from a proxy until the proxy has sent the client address. */
  address: string | undefined;
  readonly deadline: NodeJS.Timeout;
  readonly remove: () => void;
}

/** Time for TLS and the WebSocket upgrade together. The CONNECT has a separate deadline. */
const HANDSHAKE_MS_MAX = 5_000;
/**
 * Maximum number of addresses with a rate limit bucket. At the limit, all buckets are cleared, which loses at most one
 * second of counting.
 */
const ADDRESSES_MAX = 100_000;
const RATE_CLEANUP_MS = 1_000;

/** The connections without a session, counted in total and per address. */
export class PendingConnections {
  readonly #limits: PendingConnectionLimits;
  /**
   * In order of acceptance. The key consists of the remote address and both ports, which are the same for a TLS socket
   * and its TCP socket.
   */
  readonly #connections = new Map<string, PendingConnection>();
  readonly #byDevice = new Map<DeviceSocket, PendingConnection>();
  readonly #perAddress = new Map<string, number>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #cleanupTimer: NodeJS.Timeout;

  constructor(limits: PendingConnectionLimits) {
    this.#limits = limits;
    this.#cleanupTimer = setInterval(() => this.#removeFullBuckets(), RATE_CLEANUP_MS).unref();
  }

  /**
   * Admits a socket that was just accepted. Returns false if it was rejected. A connection from a proxy is not counted
   * for any address until `setClientAddress` is called.
   */
  admit(socket: Socket, { isProxy = false } = {}): boolean {
    socket.on('error', destroySocket);
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return rejectSocket(socket); // already closed
    const address = isProxy ? undefined : addressKeyOf(remoteAddress);
    const refusal = address === undefined ? undefined : this.#refusalOf(address);
    if (refusal !== undefined) return rejectSocket(socket, refusal);
    const { total } = this.#limits;
    if (total > 0 && this.#connections.size >= total) this.#evictOldest();
    this.#add(socket, address);
    return true;
  }

  /**
   * Sets the client address that a proxy has sent. Returns false if the connection was rejected or is no longer
   * pending.
   */
  setClientAddress(socket: Socket, clientAddress: string): boolean {
    const connection = this.#connections.get(connectionKeyOf(socket));
    if (!connection) return false;
    const address = addressKeyOf(clientAddress);
    const refusal = this.#refusalOf(address);
    if (refusal !== undefined) return rejectSocket(connection.socket, refusal);
    connection.address = address;
    this.#count(address, 1);
    return true;
  }

  /**
   * Records the device socket of a connection, which now waits for its CONNECT. Returns false if the connection is no
   * longer pending.
   */
  attachDevice(socket: Socket, device: DeviceSocket): boolean {
    const connection = this.#connections.get(connectionKeyOf(socket));
    if (!connection) return false;
    clearTimeout(connection.deadline);
    this.#byDevice.set(device, connection);
    return true;
  }

  /** Returns the key of the client's address. Undefined if the connection is closed. */
  addressOf(device: DeviceSocket): string | undefined {
    return this.#byDevice.get(device)?.address;
  }

  /** Removes a connection that has opened a session or is closed. */
  delete(device: DeviceSocket): void {
    this.#byDevice.get(device)?.remove();
    this.#byDevice.delete(device);
  }

  /** Destroys all pending connections. */
  destroy(): void {
    clearInterval(this.#cleanupTimer);
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  #refusalOf(address: string): string | undefined {
    const { perAddress } = this.#limits;
    if (!this.#takeToken(address)) return 'accept-rate';
    const isFull = perAddress > 0 && (this.#perAddress.get(address) ?? 0) >= perAddress;
    return isFull ? 'pending-per-address' : undefined;
  }

  #add(socket: Socket, address: string | undefined): void {
    const key = connectionKeyOf(socket);
    const remove = () => {
      clearTimeout(connection.deadline);
      socket.off('close', remove);
      if (this.#connections.get(key) !== connection) return;
      this.#connections.delete(key);
      this.#count(connection.address, -1);
    };
    const deadline = setTimeout(() => rejectSocket(socket, 'handshake-timeout'), HANDSHAKE_MS_MAX);
    const connection: PendingConnection = { socket, address, deadline, remove };
    this.#connections.set(key, connection);
    this.#count(address, 1);
    socket.on('close', remove);
  }

  #count(address: string | undefined, change: 1 | -1): void {
    if (address === undefined) return;
    const count = (this.#perAddress.get(address) ?? 0) + change;
    if (count > 0) this.#perAddress.set(address, count);
    else this.#perAddress.delete(address);
  }

  /**
   * Closes the connection that has waited longest, not the new connection. A silent connection eventually becomes the
   * oldest, while a device sends its CONNECT long before that.
   */
  #evictOldest(): void {
    const [oldest] = this.#connections.values();
    if (!oldest) return;
    oldest.remove();
    rejectSocket(oldest.socket, 'pending');
  }

  #takeToken(address: string): boolean {
    const { acceptsPerSecond } = this.#limits;
    if (acceptsPerSecond === 0) return true;
    const now = performance.now();
    let bucket = this.#buckets.get(address);
    if (!bucket) {
      if (this.#buckets.size >= ADDRESSES_MAX) this.#buckets.clear();
      bucket = new TokenBucket(acceptsPerSecond, now);
      this.#buckets.set(address, bucket);
    }
    return bucket.take(now);
  }

  #removeFullBuckets(): void {
    const now = performance.now();
    for (const [address, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(address);
  }
}

/** A shared function saves memory, because each socket keeps its listener as long as it exists. */
function destroySocket(this: Socket): void {
  this.destroy();
}

function rejectSocket(socket: Socket, reason?: string): false {
  if (reason !== undefined) gatewayMetrics.refused.inc({ reason });
  socket.destroy();
  return false;
}

const connectionKeyOf = ({ remoteAddress, remotePort, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localPort}`;
