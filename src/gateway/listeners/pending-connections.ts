import type { Socket } from 'node:net';
import { TokenBucket } from '#src/foundation/token-bucket.ts';
import { gatewayMetrics } from '../metrics.ts';
import { addressKeyOf } from './address-key.ts';
import type { DeviceSocket } from './device-socket.ts';

/** 0 is no limit. */
export interface PendingConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  readonly acceptsPerSecond: number;
}

/** A connection from when it was accepted until it has a session. */
interface PendingConnection {
  readonly socket: Socket;
  /** Undefined while it is a proxy's, which has yet to tell whose it is. */
  address: string | undefined;
  readonly deadline: NodeJS.Timeout;
  readonly remove: () => void;
}

/** TLS and the upgrade to a WebSocket, together. A CONNECT has its own deadline. */
const HANDSHAKE_MS_MAX = 5_000;
/** So many addresses are remembered with their rate; then all are forgotten, which is worth no more than a second. */
const ADDRESSES_MAX = 100_000;
const RATE_CLEANUP_MS = 1_000;

/** The connections that have no session yet: how many there are, and from where. */
export class PendingConnections {
  readonly #limits: PendingConnectionLimits;
  /** In the order they came, by both ends of the connection: what TLS makes of a socket has the same. */
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
   * Takes in a socket that was just accepted, or turns it away and answers false. That of a proxy counts for no address
   * until `comesFrom` tells one.
   */
  admit(socket: Socket, { isProxy = false } = {}): boolean {
    socket.on('error', destroySocket);
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return rejectSocket(socket); // it is gone already
    const address = isProxy ? undefined : addressKeyOf(remoteAddress);
    const refusal = address === undefined ? undefined : this.#refusalOf(address);
    if (refusal !== undefined) return rejectSocket(socket, refusal);
    const { total } = this.#limits;
    if (total > 0 && this.#connections.size >= total) this.#evictOldest();
    this.#add(socket, address);
    return true;
  }

  /** A proxy has told whose connection it is. False: it was turned away, or is not known any more. */
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

  /** What was a socket is a device's socket now, and waits for its CONNECT. False: it is not known any more. */
  attachDevice(socket: Socket, device: DeviceSocket): boolean {
    const connection = this.#connections.get(connectionKeyOf(socket));
    if (!connection) return false;
    clearTimeout(connection.deadline);
    this.#byDevice.set(device, connection);
    return true;
  }

  /** It has opened a session, or is gone. */
  delete(device: DeviceSocket): void {
    this.#byDevice.get(device)?.remove();
    this.#byDevice.delete(device);
  }

  /** Cuts all of them off. */
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
    const deadline = setTimeout(() => rejectSocket(socket, 'late'), HANDSHAKE_MS_MAX);
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
   * The one that has waited longest goes, and not the one that comes: those that say nothing are the oldest soon, and a
   * device has sent its CONNECT long before its turn comes.
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

/** One function for all of them, since it stays with the socket for its life. */
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
