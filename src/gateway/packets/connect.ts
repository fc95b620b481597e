import type { IConnectPacket } from 'mqtt-packet';
import type { Log } from '#src/foundation/log.ts';
import { type Authenticator, type BadCredentials, readCredentials } from '../authenticate.ts';
import { decode, encode, type ProtocolVersion } from '../codec.ts';
import type { ConnectLimits } from '../connect-limits.ts';
import type { DeviceSocket } from '../listeners/device-socket.ts';
import { gatewayMetrics } from '../metrics.ts';
import { PACKET_BYTES_MAX } from '../packet-reader.ts';
import { reason } from '../reason-codes.ts';
import { RECEIVE_MAXIMUM, Session } from '../sessions/session.ts';
import type { SessionCeilings } from '../sessions/session-ceilings.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { findConnectFault } from './connect-fault.ts';

/** The CONNACK code of each refusal in both protocol versions. The text is omitted where it would reveal too much. */
export const refusals = {
  'bad-credentials': { 4: 4, 5: reason.badCredentials },
  'wrong-version': {
    4: 1,
    5: reason.unsupportedVersion,
    text: 'Protocol version is not supported. Use MQTT 3.1.1 or 5.',
  },
  'service-unavailable': { 4: 3, 5: reason.unavailable },
  'too-many-takeovers': {
    4: 3,
    5: reason.quotaExceeded,
    text: 'Connections of this device replace each other too often. Try again later.',
  },
  busy: { 4: 3, 5: reason.busy, text: 'Too many devices are connecting. Try again later.' },
  'app-quota': { 4: 3, 5: reason.quotaExceeded, text: 'The app has reached its session limit on this gateway.' },
  'app-ceiling': {
    4: 3,
    5: reason.quotaExceeded,
    text: 'The app has reached its session ceiling. Ask the operator of this installation to raise it.',
  },
  'use-another-server': { 4: 3, 5: reason.useAnotherServer },
  'no-client-id': { 4: 2, 5: reason.clientIdInvalid, text: 'Client id is empty. Use the device_guid of the login.' },
  'authentication-method': {
    4: 5,
    5: reason.badAuthenticationMethod,
    text: 'Authentication method is not supported. Use user name and password.',
  },
  'will-retained': { 4: 5, 5: reason.retainNotSupported, text: 'Wills are not supported.' },
  'will-qos': { 4: 5, 5: reason.qosNotSupported, text: 'Wills are not supported.' },
  will: { 4: 5, 5: reason.notAuthorised, text: 'Wills are not supported.' },
  // A 3.1.1 client that violates its standard gets no response.
  malformed: { 4: undefined, 5: reason.malformed },
  'protocol-error': { 4: undefined, 5: reason.protocolError },
} as const satisfies Record<string, { 4: number | undefined; 5: number; text?: string }>;

/** Reason strings for clients with a known access token. They reveal nothing that the owner of the token cannot know. */
const badCredentialTexts: Readonly<Partial<Record<BadCredentials, string>>> = {
  expired: 'Access token has expired. Log in again.',
  'no-device': 'Access token has no device. Log in with a device_guid.',
  'client-id': 'Client id does not match the access token. Use the device_guid of the login.',
  'user-name': 'User name does not match the access token. Use the push_token of the login.',
  disabled: 'User or app is disabled.',
  login: 'Login of this device has ended. Log in again.',
};

export type Refusal = keyof typeof refusals;

/** The receive maximum of a client that does not send one [MQTT5 3.1.2.11.3]. */
const RECEIVE_MAXIMUM_DEFAULT = 65_535;

export interface ConnectContext {
  readonly authenticator: Authenticator;
  /** Returns true if this gateway is stopping and accepts no devices. */
  readonly isDraining: () => boolean;
  readonly connectLimits: ConnectLimits;
  readonly sessions: Pick<Sessions, 'isAtCeiling'>;
  readonly sessionCeilings: Pick<SessionCeilings, 'appOfRefused'>;
  /** Connections without a session. */
  readonly pendingConnections: { addressOf(socket: DeviceSocket): string | undefined };
  readonly keepAliveSeconds: { readonly min: number; readonly max: number };
  readonly log: Log;
}

/**
 * The first packet of a connection. `nothing` means that the packet is not an MQTT CONNECT and gets no response
 * [MQTT-3.1.0-1].
 */
export type FirstPacket =
  | { readonly kind: 'connect'; readonly connect: IConnectPacket }
  | {
      readonly kind: 'refused';
      readonly version: ProtocolVersion;
      readonly refusal: Refusal;
      /** The longest packet that the client accepts, if it sent a limit. */
      readonly packetBytesMax?: number | undefined;
    }
  | { readonly kind: 'nothing' };

export function readConnect(bytes: Buffer): FirstPacket {
  const { version, fault } = findConnectFault(bytes);
  if (version === undefined) return { kind: 'nothing' };
  if (fault !== undefined) return { kind: 'refused', version, refusal: fault };
  const connect = decode(bytes, version);
  if (connect?.cmd !== 'connect') return { kind: 'refused', version, refusal: 'malformed' };
  const refusal = findRefusal(connect);
  if (!refusal) return { kind: 'connect', connect };
  return { kind: 'refused', version, refusal, packetBytesMax: connect.properties?.maximumPacketSize };
}

/** Returns a refusal that can be decided without a database. */
function findRefusal({ clientId, will, properties }: IConnectPacket): Refusal | undefined {
  if (properties?.authenticationMethod !== undefined) return 'authentication-method'; // [MQTT-4.12.0-1]
  if (will?.retain) return 'will-retained'; // [MQTT-3.2.2-13]
  if (will?.qos === 2) return 'will-qos'; // [MQTT-3.2.2-12]
  if (will) return 'will';
  // A server may refuse to assign a client id [MQTT-3.1.3-6]. Carillon requires the `device_guid` as the client id.
  if (clientId === '') return 'no-client-id';
  return undefined;
}

/** Opens a session for a CONNECT. If the CONNECT is not accepted, sends a refusal and returns undefined. */
export async function openSession(
  socket: DeviceSocket,
  connect: IConnectPacket,
  context: ConnectContext,
): Promise<Session | undefined> {
  const version = versionOf(connect);
  if (context.isDraining()) return refuse(socket, version, 'use-another-server');
  const address = context.pendingConnections.addressOf(socket);
  const packetBytesMax = connect.properties?.maximumPacketSize;
  const deny = (problem: 'too-many-takeovers' | 'busy') => {
    context.log.security('limit-exceeded', { address, problem });
    return refuse(socket, version, problem, packetBytesMax);
  };
  const denyCredentials = (why: BadCredentials, token?: { readonly appId: string; readonly userId: bigint }) => {
    const owner = token && { appId: token.appId, userId: token.userId };
    context.log.security('connect-rejected', { address, problem: 'bad-credentials', reason: why, ...owner });
    return refuse(socket, version, 'bad-credentials', packetBytesMax, token && badCredentialTexts[why]);
  };
  const credentials = readCredentials(connect);
  if (typeof credentials === 'string') return denyCredentials(credentials);
  // Without a database, so that the devices of an app at its ceiling do not use the rate of CONNECTs of other apps.
  const refusedApp = context.sessionCeilings.appOfRefused(credentials.token);
  if (refusedApp !== undefined && context.sessions.isAtCeiling(refusedApp))
    return refuse(socket, version, 'app-ceiling');
  const admitted = context.connectLimits.admit(address, credentials.token);
  if (!admitted) return deny('busy');
  const authentication = await context.authenticator.authenticate(credentials).catch((error: unknown) => {
    admitted.forgive();
    throw error;
  });
  if (authentication.kind === 'bad-credentials') {
    if (authentication.token) admitted.forgive();
    return denyCredentials(authentication.why, authentication.token);
  }
  if (authentication.kind === 'too-many-takeovers') {
    admitted.forgive();
    return deny(authentication.kind);
  }
  admitted.accept();
  const { receiveMaximum, maximumPacketSize, requestProblemInformation, sessionExpiryInterval } =
    connect.properties ?? {};
  return new Session({
    device: authentication.device,
    version,
    keepAliveMs: keepAliveSecondsOf(connect, context) * 1_000,
    receiveMaximum: receiveMaximum ?? RECEIVE_MAXIMUM_DEFAULT,
    packetBytesMax: maximumPacketSize ?? Number.POSITIVE_INFINITY,
    problemInformation: requestProblemInformation ?? true,
    expiryRequested: (sessionExpiryInterval ?? 0) > 0,
    socket,
  });
}

/** Sends a successful CONNACK. For MQTT 5 it contains every value that differs from the standard's defaults. */
export function sendConnack(session: Session): void {
  session.connackSent = true;
  session.send({
    cmd: 'connack',
    sessionPresent: false,
    returnCode: 0,
    reasonCode: 0,
    ...(session.version === 5 && {
      properties: {
        serverKeepAlive: session.keepAliveMs / 1_000,
        sessionExpiryInterval: 0,
        receiveMaximum: RECEIVE_MAXIMUM,
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

/**
 * Refuses a CONNECT and ends the connection. The reason string is included if the client accepts a packet of that size
 * [MQTT-3.2.2-19].
 */
export function refuse(
  socket: DeviceSocket,
  version: ProtocolVersion,
  refusalName: Refusal,
  packetBytesMax = Number.POSITIVE_INFINITY,
  text?: string,
): undefined {
  gatewayMetrics.refused.inc({ reason: refusalName });
  const refusal = refusals[refusalName];
  const code = refusal[version];
  if (code === undefined) {
    socket.destroy();
    return;
  }
  const connack = { cmd: 'connack', sessionPresent: false, returnCode: code, reasonCode: code } as const;
  const reasonString = version === 5 ? (text ?? ('text' in refusal ? refusal.text : undefined)) : undefined;
  const connackWithReason = encode({ ...connack, ...(reasonString && { properties: { reasonString } }) }, version);
  socket.end(connackWithReason.length <= packetBytesMax ? connackWithReason : encode(connack, version));
}

export const tokenOf = (connect: IConnectPacket): string => connect.password?.toString() ?? '';

export const versionOf = (connect: IConnectPacket): ProtocolVersion => (connect.protocolVersion === 5 ? 5 : 4);

/**
 * Returns the requested keep-alive within the configured bounds. 0 would disable the timeout, so the maximum applies.
 */
function keepAliveSecondsOf(connect: IConnectPacket, { keepAliveSeconds: { min, max } }: ConnectContext): number {
  const requestedSeconds = connect.keepalive || max;
  return Math.min(Math.max(requestedSeconds, min), max);
}
