import type { IConnectPacket, Packet } from 'mqtt-packet';
import type { Log } from '#src/foundation/log.ts';
import type { Truth } from '#src/truth/database.ts';
import { decode, type ProtocolVersion } from './codec.ts';
import type { DeviceSocket } from './doors/device-socket.ts';
import { PACKET_BYTES_MAX, PacketReader } from './packet-reader.ts';
import { openSession, refuse, versionOf, welcome } from './packets/connect.ts';
import type { PacketContext } from './packets/handler.ts';
import { handlePuback } from './packets/puback.ts';
import { handlePublish } from './packets/publish.ts';
import { handleSubscribe, handleUnsubscribe } from './packets/subscribe.ts';
import type { Presence } from './presence.ts';
import { reason, type Session } from './session.ts';
import type { Sessions } from './sessions.ts';

export interface ConnectionContext extends PacketContext {
  readonly truth: Truth;
  readonly sessions: Sessions;
  readonly presence: Presence;
  /** Connections that have not opened a session yet. */
  readonly unopened: Set<DeviceSocket>;
  readonly keepAliveSeconds: { readonly min: number; readonly max: number };
  readonly log: Log;
}

/** What a connection has come to. Packets are read only in `new` and `open`. */
type Phase =
  | { readonly kind: 'new' } // nothing but a CONNECT is allowed
  | { readonly kind: 'opening'; readonly session?: Session } // the databases are asked; further bytes wait
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'closed' };

const CONNECT_DEADLINE_MS = 5_000;
/** So many may be on their way to a session at once; honest ones come again. */
const UNOPENED_MAX = 5_000;

/** Serves one socket from its first byte to its last. */
export function serveConnection(socket: DeviceSocket, context: ConnectionContext): void {
  const reader = new PacketReader();
  let phase: Phase = { kind: 'new' };

  if (context.unopened.size >= UNOPENED_MAX) {
    socket.destroy();
    return;
  }
  context.unopened.add(socket);
  const deadline = setTimeout(() => socket.destroy(), CONNECT_DEADLINE_MS);
  socket.on('error', () => socket.destroy()); // a device that went away; 'close' follows
  socket.on('close', () => {
    clearTimeout(deadline);
    context.unopened.delete(socket);
    leave();
  });
  socket.on('data', (chunk: Buffer) => {
    if (phase.kind === 'closed') return; // it was told to go, and what it still says is of no interest
    reader.add(chunk);
    pump();
  });

  function pump(): void {
    while (phase.kind === 'new' || phase.kind === 'open') {
      const result = reader.next();
      if (result.kind === 'more') return;
      if (result.kind !== 'packet') {
        fail(result.kind === 'too-large' ? reason.packetTooLarge : reason.malformed);
        return;
      }
      const version: ProtocolVersion = phase.kind === 'open' ? phase.session.version : 4;
      const packet = decode(result.bytes, version);
      if (!packet) fail(reason.malformed);
      else if (phase.kind === 'open') handleSafely(phase.session, packet);
      else if (packet.cmd === 'connect') open(packet);
      else fail(reason.protocolError);
    }
  }

  function open(connect: IConnectPacket): void {
    phase = { kind: 'opening' };
    socket.pause();
    openNow(connect).then(
      () => {
        socket.resume();
        pump();
      },
      (error: unknown) => {
        context.log.warn('connect-failed', { error });
        refuse(socket, versionOf(connect), 'try-later');
        leave();
      },
    );
  }

  /** Announced first, welcomed second, and only then is the inbox read: so no message falls between the two. */
  async function openNow(connect: IConnectPacket): Promise<void> {
    const session = await openSession(socket, connect, context);
    if (!session) leave();
    if (!session || isClosed()) return;
    phase = { kind: 'opening', session };
    context.sessions.add(session);
    await context.presence.connected(session.device);
    if (isClosed()) return;
    clearTimeout(deadline);
    context.unopened.delete(socket);
    phase = { kind: 'open', session };
    reader.sizeMax = PACKET_BYTES_MAX;
    welcome(session);
    context.inbox.read(session);
  }

  // A function, because the compiler does not know that `phase` may change during an await.
  function isClosed(): boolean {
    return phase.kind === 'closed';
  }

  /** Whatever a device sends may end its own session, and nothing else. */
  function handleSafely(session: Session, packet: Packet): void {
    try {
      handle(session, packet);
    } catch (error) {
      context.log.warn('packet-failed', { cmd: packet.cmd, error });
      fail(reason.malformed);
    }
  }

  function handle(session: Session, packet: Packet): void {
    session.lastHeardMs = performance.now();
    if (packet.cmd === 'puback') handlePuback(session, packet, context);
    else if (packet.cmd === 'pingreq') session.send({ cmd: 'pingresp' });
    else if (packet.cmd === 'subscribe') handleSubscribe(session, packet, context);
    else if (packet.cmd === 'unsubscribe') handleUnsubscribe(session, packet, context);
    else if (packet.cmd === 'publish') handlePublish(session, packet, context);
    else if (packet.cmd === 'disconnect') {
      leave();
      session.close(reason.normal);
    } else fail(reason.protocolError);
  }

  function fail(reasonCode: number): void {
    const session = leave();
    if (session) session.close(reasonCode);
    else socket.destroy();
  }

  /** From here on nothing is read, and the device is not here any more. */
  function leave(): Session | undefined {
    const session = 'session' in phase ? phase.session : undefined;
    phase = { kind: 'closed' };
    if (session && context.sessions.remove(session)) context.presence.disconnected(session.device);
    return session;
  }
}
