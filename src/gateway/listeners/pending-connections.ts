import type { Socket } from 'node:net';
import { TokenBucket } from '#src/foundation/token-bucket.ts';
import { gatewayMetrics } from '../metrics.ts';
import { whoseAddress } from './address-key.ts';
import type { DeviceSocket } from './device-socket.ts';

/** 0 is no limit. */
export interface UnopenedLimits {
  readonly total: number;
  readonly perAddress: number;
  readonly acceptsPerSecond: number;
}

/** A connection from when it was accepted until it has a session. */
interface Visit {
  readonly socket: Socket;
  /** Undefined while it is a proxy's, which has yet to tell whose it is. */
  address: string | undefined;
  readonly deadline: NodeJS.Timeout;
  readonly leave: () => void;
}

/** TLS and the upgrade to a WebSocket, together. A CONNECT has its own deadline. */
const ENTER_MS_MAX = 5_000;
/** So many addresses are remembered with their rate; then all are forgotten, which is worth no more than a second. */
const ADDRESSES_MAX = 100_000;
const FORGET_MS = 1_000;

/** The connections that have no session yet: how many there are, and from where. */
export class Unopened {
  readonly #limits: UnopenedLimits;
  /** In the order they came, by both ends of the connection: what TLS makes of a socket has the same. */
  readonly #visits = new Map<string, Visit>();
  readonly #byDevice = new Map<DeviceSocket, Visit>();
  readonly #perAddress = new Map<string, number>();
  readonly #rates = new Map<string, TokenBucket>();
  readonly #forget: NodeJS.Timeout;

  constructor(limits: UnopenedLimits) {
    this.#limits = limits;
    this.#forget = setInterval(() => this.#forgetRates(), FORGET_MS).unref();
  }

  /**
   * Takes in a socket that was just accepted, or turns it away and answers false. That of a proxy counts for no address
   * until `comesFrom` tells one.
   */
  admit(socket: Socket, { isProxy = false } = {}): boolean {
    socket.on('error', goAway);
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return turnAway(socket); // it is gone already
    const address = isProxy ? undefined : whoseAddress(remoteAddress);
    const refusal = address === undefined ? undefined : this.#refusalOf(address);
    if (refusal !== undefined) return turnAway(socket, refusal);
    const { total } = this.#limits;
    if (total > 0 && this.#visits.size >= total) this.#turnOutOldest();
    this.#enter(socket, address);
    return true;
  }

  /** A proxy has told whose connection it is. False: it was turned away, or is not known any more. */
  comesFrom(socket: Socket, clientAddress: string): boolean {
    const visit = this.#visits.get(endsOf(socket));
    if (!visit) return false;
    const address = whoseAddress(clientAddress);
    const refusal = this.#refusalOf(address);
    if (refusal !== undefined) return turnAway(visit.socket, refusal);
    visit.address = address;
    this.#count(address, 1);
    return true;
  }

  /** What was a socket is a device's socket now, and waits for its CONNECT. False: it is not known any more. */
  serve(socket: Socket, device: DeviceSocket): boolean {
    const visit = this.#visits.get(endsOf(socket));
    if (!visit) return false;
    clearTimeout(visit.deadline);
    this.#byDevice.set(device, visit);
    return true;
  }

  /** It has opened a session, or is gone. */
  delete(device: DeviceSocket): void {
    this.#byDevice.get(device)?.leave();
    this.#byDevice.delete(device);
  }

  /** Cuts all of them off. */
  destroy(): void {
    clearInterval(this.#forget);
    for (const { socket } of this.#visits.values()) socket.destroy();
  }

  #refusalOf(address: string): string | undefined {
    const { perAddress } = this.#limits;
    if (!this.#takeRate(address)) return 'accept-rate';
    const isFull = perAddress > 0 && (this.#perAddress.get(address) ?? 0) >= perAddress;
    return isFull ? 'unopened-per-address' : undefined;
  }

  #enter(socket: Socket, address: string | undefined): void {
    const ends = endsOf(socket);
    const leave = () => {
      clearTimeout(visit.deadline);
      socket.off('close', leave);
      if (this.#visits.get(ends) !== visit) return;
      this.#visits.delete(ends);
      this.#count(visit.address, -1);
    };
    const deadline = setTimeout(() => turnAway(socket, 'late'), ENTER_MS_MAX);
    const visit: Visit = { socket, address, deadline, leave };
    this.#visits.set(ends, visit);
    this.#count(address, 1);
    socket.on('close', leave);
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
  #turnOutOldest(): void {
    const [oldest] = this.#visits.values();
    if (!oldest) return;
    oldest.leave();
    turnAway(oldest.socket, 'unopened');
  }

  #takeRate(address: string): boolean {
    const { acceptsPerSecond } = this.#limits;
    if (acceptsPerSecond === 0) return true;
    const now = performance.now();
    let rate = this.#rates.get(address);
    if (!rate) {
      if (this.#rates.size >= ADDRESSES_MAX) this.#rates.clear();
      rate = new TokenBucket(acceptsPerSecond, now);
      this.#rates.set(address, rate);
    }
    return rate.take(now);
  }

  #forgetRates(): void {
    const now = performance.now();
    for (const [address, rate] of this.#rates) if (rate.isFull(now)) this.#rates.delete(address);
  }
}

/** One function for all of them, since it stays with the socket for its life. */
function goAway(this: Socket): void {
  this.destroy();
}

function turnAway(socket: Socket, why?: string): false {
  if (why !== undefined) gatewayMetrics.refused.inc({ why });
  socket.destroy();
  return false;
}

const endsOf = ({ remoteAddress, remotePort, localPort }: Socket) => `${remoteAddress} ${remotePort} ${localPort}`;
