import type { IConnectPacket } from 'mqtt-packet';
import type { Truth } from '#src/truth/database.ts';
import { authenticateDevice } from '../authenticate.ts';
import { encode, type ProtocolVersion } from '../codec.ts';
import type { DeviceSocket } from '../doors/device-socket.ts';
import { PACKET_BYTES_MAX } from '../packet-reader.ts';
import { Session } from '../session.ts';

/** The same refusal in both versions' words. */
const refusals = {
  'bad-credentials': { 4: 4, 5: 0x86 },
  'wrong-version': { 4: 1, 5: 0x84 },
  'try-later': { 4: 3, 5: 0x88 },
  'protocol-error': { 4: 2, 5: 0x82 },
} as const;

/** Without a word of its own a client takes this many at once [MQTT-3.1.2.11.3]. */
const RECEIVE_MAXIMUM_DEFAULT = 65_535;

interface ConnectContext {
  readonly truth: Truth;
  readonly keepAliveSeconds: { readonly min: number; readonly max: number };
}

export const isSupported = (connect: IConnectPacket): boolean =>
  connect.protocolVersion === 4 || connect.protocolVersion === 5;

/** Makes a session of a CONNECT, or refuses it and returns undefined. */
export async function openSession(
  socket: DeviceSocket,
  connect: IConnectPacket,
  context: ConnectContext,
): Promise<Session | undefined> {
  const version = versionOf(connect);
  if (!isSupported(connect)) return refuse(socket, version, 'wrong-version');
  const receiveMaximum: unknown = connect.properties?.receiveMaximum ?? RECEIVE_MAXIMUM_DEFAULT;
  // Zero, or given twice, is a protocol error [MQTT-3.1.2.11.3].
  if (typeof receiveMaximum !== 'number' || receiveMaximum < 1) return refuse(socket, version, 'protocol-error');
  const device = await authenticateDevice(context.truth, connect);
  if (!device) return refuse(socket, version, 'bad-credentials');
  return new Session({
    device,
    version,
    keepAliveMs: keepAliveOf(connect, context) * 1_000,
    receiveMaximum,
    packetBytesMax: connect.properties?.maximumPacketSize ?? Number.POSITIVE_INFINITY,
    socket,
  });
}

/** Says yes. For MQTT 5 with everything we do otherwise than the standard's defaults. */
export function welcome(session: Session): void {
  session.welcomed = true;
  session.send({
    cmd: 'connack',
    sessionPresent: false,
    returnCode: 0,
    reasonCode: 0,
    ...(session.version === 5 && {
      properties: {
        serverKeepAlive: session.keepAliveMs / 1_000,
        sessionExpiryInterval: 0,
        maximumQoS: 1,
        maximumPacketSize: PACKET_BYTES_MAX,
        retainAvailable: false,
        wildcardSubscriptionAvailable: false,
        subscriptionIdentifiersAvailable: false,
        sharedSubscriptionAvailable: false,
      },
    }),
  });
}

export function refuse(socket: DeviceSocket, version: ProtocolVersion, why: keyof typeof refusals): undefined {
  const code = refusals[why][version];
  socket.end(encode({ cmd: 'connack', sessionPresent: false, returnCode: code, reasonCode: code }, version));
}

export const versionOf = (connect: IConnectPacket): ProtocolVersion => (connect.protocolVersion === 5 ? 5 : 4);

/** The client picks its own timeout, so it is bounded: 0 would mean never. */
function keepAliveOf(connect: IConnectPacket, { keepAliveSeconds: { min, max } }: ConnectContext): number {
  const wish = connect.keepalive || max;
  return Math.min(Math.max(wish, min), max);
}
