import type { IConnectPacket, Packet } from 'mqtt-packet';
import { decode } from './codec.ts';
import type { DeviceSocket } from './listeners/device-socket.ts';
import { PACKET_BYTES_MAX, PacketReader } from './packet-reader.ts';
import {
  type ConnectContext,
  openSession,
  readConnect,
  refuse,
  sendConnack,
  tokenOf,
  versionOf,
} from './packets/connect.ts';
import { findFault } from './packets/find-fault.ts';
import { handlePacket } from './packets/handle-packet.ts';
import type { PacketContext } from './packets/packet-handler.ts';
import { reason } from './reason-codes.ts';
import type { Presence } from './sessions/presence.ts';
import type { Session } from './sessions/session.ts';
import type { SessionCeilings } from './sessions/session-ceilings.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface ConnectionContext extends PacketContext, ConnectContext {
  readonly sessions: Sessions;
  readonly sessionCeilings: SessionCeilings;
  readonly presence: Presence;
  /** Connections without a session. A connection is deleted from this collection when it opens a session or closes. */
  readonly pendingConnections: ConnectContext['pendingConnections'] & { delete(socket: DeviceSocket): void };
}

/** The state of a connection. Packets are read only in `new` and `open`. */
type Phase =
  | { readonly kind: 'new' } // only a CONNECT is allowed
  | { readonly kind: 'opening'; readonly session?: Session } // database queries are running; further bytes wait
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'closed'; readonly session?: Session }; // no more packets are read

const NEW: Phase = { kind: 'new' };
const OPENING: Phase = { kind: 'opening' };

export const CONNECT_DEADLINE_MS = 5_000;
/** Maximum number of packets handled per device per event loop turn. One chunk can contain 32,768 packets. */
const PACKETS_PER_TURN_MAX = 500;
/**
 * Maximum rates of one device. Above them, the gateway reads the device's next packets later. A device sends an
 * acknowledgement for each notification, a PINGREQ per keep-alive, and about one report per second.
 */
const PACKETS_PER_SECOND_MAX = 1_000;
const BYTES_PER_SECOND_MAX = 256 * 1024;
const SECOND_MS = 1_000;

/** Serves one socket until it is closed. */
export function serveConnection(socket: DeviceSocket, context: ConnectionContext): void {
  new Connection(socket, context).listen();
}

/** One socket and its state. Most connections are idle, so the object is kept small. */
class Connection {
  readonly #socket: DeviceSocket;
  readonly #context: ConnectionContext;
  readonly #reader = new PacketReader();
  #phase: Phase = NEW;
  /** Packets and bytes that were read since `#periodStartMs`. */
  #packets = 0;
  #bytes = 0;
  #periodStartMs = 0;
  /** Closes the connection if no session is opened in time. */
  #deadline: NodeJS.Timeout | undefined;

  constructor(socket: DeviceSocket, context: ConnectionContext) {
    this.#socket = socket;
    this.#context = context;
  }

  listen(): void {
    const socket = this.#socket;
    this.#deadline = setTimeout(() => socket.destroy(), CONNECT_DEADLINE_MS);
    socket.on('error', () => socket.destroy()); // the device disconnected; 'close' follows
    socket.on('close', () => {
      this.#removePending();
      this.#markClosed()?.handleSocketClose();
    });
    socket.on('data', (chunk) => {
      if (this.#isClosed()) return; // the connection is being closed, so further bytes are ignored
      this.#bytes += chunk.length;
      this.#reader.add(chunk);
      this.#readPackets();
    });
  }

  #readPackets(): void {
    for (let packetCount = 0; this.#phase.kind === 'new' || this.#phase.kind === 'open'; packetCount++) {
      if (packetCount === PACKETS_PER_TURN_MAX) {
        this.#readPacketsLater(0);
        return;
      }
      const pauseMs = this.#pauseMs();
      if (pauseMs > 0) {
        this.#readPacketsLater(pauseMs);
        return;
      }
      const result = this.#reader.next();
      if (result.kind === 'incomplete') return;
      this.#packets++;
      if (result.kind === 'packet') this.#handleBytes(this.#phase, result.bytes);
      else this.#fail(result.kind === 'too-large' ? reason.packetTooLarge : reason.malformed);
    }
  }

  #readPacketsLater(pauseMs: number): void {
    this.#socket.pause();
    const resume = () => {
      this.#socket.resume();
      this.#readPackets();
    };
    if (pauseMs === 0) setImmediate(resume);
    else setTimeout(resume, pauseMs);
  }

  /** Returns how long the gateway must wait before it reads another packet. */
  #pauseMs(): number {
    if (this.#packets < PACKETS_PER_SECOND_MAX && this.#bytes < BYTES_PER_SECOND_MAX) return 0;
    const elapsedMs = performance.now() - this.#periodStartMs;
    if (elapsedMs < SECOND_MS) return SECOND_MS - elapsedMs;
    this.#packets = 0;
    this.#bytes = 0;
    this.#periodStartMs += elapsedMs;
    return 0;
  }

  #handleBytes(phase: Phase, bytes: Buffer): void {
    if (phase.kind === 'open') {
      const { session } = phase;
      session.lastPacketMs = performance.now();
      const fault = findFault(bytes, session.version);
      const packet = fault === undefined ? decode(bytes, session.version) : undefined;
      const endReason = packet ? this.#handleSafely(session, packet) : (fault ?? reason.malformed);
      if (endReason !== undefined) this.#fail(endReason);
      return;
    }
    const firstPacket = readConnect(bytes);
    if (firstPacket.kind === 'connect') this.#open(firstPacket.connect);
    else {
      if (firstPacket.kind === 'refused') {
        const address = this.#context.pendingConnections.addressOf(this.#socket);
        this.#context.log.security('connect-rejected', { address, problem: firstPacket.refusal });
        refuse(this.#socket, firstPacket.version, firstPacket.refusal, firstPacket.packetBytesMax);
      } else this.#socket.destroy();
      this.#markClosed();
    }
  }

  /** Handles a packet. An exception ends only the session of the device that sent the packet. */
  #handleSafely(session: Session, packet: Packet): number | undefined {
    try {
      return handlePacket(session, packet, this.#context);
    } catch (error) {
      this.#context.log.warn('packet-failed', { cmd: packet.cmd, error });
      return reason.malformed;
    }
  }

  #open(connect: IConnectPacket): void {
    this.#phase = OPENING;
    this.#socket.pause();
    this.#openSession(connect).then(
      () => {
        this.#socket.resume();
        this.#readPackets();
      },
      (error: unknown) => {
        this.#context.log.warn('connect-failed', { error });
        refuse(this.#socket, versionOf(connect), 'service-unavailable');
        this.#markClosed();
      },
    );
  }

  /**
   * Announces the session first, then sends the CONNACK and reads the inbox last, so that no notification is missed in
   * between.
   */
  async #openSession(connect: IConnectPacket): Promise<void> {
    const session = await openSession(this.#socket, connect, this.#context);
    if (!session) this.#markClosed();
    if (!session || this.#isClosed()) return;
    const exceededLimit = this.#context.sessions.exceededLimit(session.device);
    if (exceededLimit !== undefined) {
      if (exceededLimit === 'app-ceiling')
        this.#context.sessionCeilings.refused(tokenOf(connect), session.device.appId);
      refuse(this.#socket, session.version, exceededLimit);
      this.#markClosed();
      return;
    }
    this.#phase = { kind: 'opening', session };
    this.#context.sessions.add(session);
    await this.#context.presence.connected(session.device);
    if (this.#isClosed()) return;
    this.#removePending();
    this.#phase = { kind: 'open', session };
    this.#reader.sizeMax = PACKET_BYTES_MAX;
    sendConnack(session);
    this.#context.inbox.read(session);
  }

  // A method, because the compiler assumes that the phase does not change during an await.
  #isClosed(): boolean {
    return this.#phase.kind === 'closed';
  }

  /** Removes the connection from the pending connections and stops its deadline. */
  #removePending(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    this.#context.pendingConnections.delete(this.#socket);
  }

  #fail(reasonCode: number): void {
    const session = this.#markClosed();
    if (session) session.close(reasonCode);
    else this.#socket.destroy();
  }

  /**
   * Stops reading. Announces the device as disconnected, unless another session of the device has taken over. Returns
   * the session if there is one.
   */
  #markClosed(): Session | undefined {
    const session = 'session' in this.#phase ? this.#phase.session : undefined;
    this.#phase = session ? { kind: 'closed', session } : { kind: 'closed' };
    if (session && this.#context.sessions.remove(session)) this.#context.presence.disconnected(session.device);
    return session;
  }
}
