import mqtt from 'mqtt';
import type { DeviceCredentials } from './credentials.ts';
import type { DisconnectInfo } from './events.ts';

interface ConnectionOptions {
  readonly gateway: string;
  readonly credentials: DeviceCredentials;
  readonly ca: string | undefined;
  readonly keepAliveSeconds: number;
  /** Answers the reason code to acknowledge with; never rejects. */
  readonly onMessage: (payload: Uint8Array) => Promise<number>;
  readonly onOpen: () => void;
  /** Called once, unless the connection was closed from this side. */
  readonly onEnd: (ending: DisconnectInfo) => void;
}

/** One connection to one gateway, which ends once and never comes back by itself. */
export interface Connection {
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 15_000;
/** Time for the last words to be written. */
const CLOSE_MS_MAX = 2_000;
/** As many as a gateway sends ahead of its answers: so many may be shown at once. */
const RECEIVE_MAXIMUM = 20;

export function openConnection(options: ConnectionOptions): Connection {
  const { gateway, credentials, ca, keepAliveSeconds, onMessage, onOpen, onEnd } = options;
  const client = mqtt.connect(gateway, {
    protocolVersion: 5,
    clientId: credentials.device_guid,
    username: credentials.push_token,
    password: credentials.token,
    clean: true,
    keepalive: keepAliveSeconds,
    connectTimeout: CONNECT_MS_MAX,
    reconnectPeriod: 0,
    ...(ca !== undefined && { ca }),
    properties: { receiveMaximum: RECEIVE_MAXIMUM },
  });
  const { stream } = client;
  let hasEnded = false;

  const end = (ending: DisconnectInfo) => {
    if (hasEnded) return;
    hasEnded = true;
    client.end(true);
    onEnd(ending);
  };
  client.on('connect', () => {
    if (!hasEnded) onOpen();
  });
  client.on('disconnect', ({ reasonCode }) => end({ reason: 'The gateway ended the session.', reasonCode }));
  client.on('error', (error) => {
    const { code } = error as { code?: unknown };
    // Node has no message for a host whose every address refused.
    const reason = error.message || (typeof code === 'string' ? code : 'The connection failed.');
    end({ reason, reasonCode: typeof code === 'number' ? code : undefined });
  });
  client.on('close', () => end({ reason: 'The connection was lost.', reasonCode: undefined }));

  /**
   * MQTT.js acknowledges a message when this has called back, and reads nothing else before: no answer to a ping, no
   * DISCONNECT, no other notification while one is being shown. An error lets it read on without acknowledging, and the
   * acknowledgement is written when it is due; on this connection or not at all, since packet ids begin anew with each.
   */
  client.handleMessage = (packet, done) => {
    done(new Error('It is acknowledged later.'));
    const { messageId, payload } = packet;
    const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
    void onMessage(bytes).then((reasonCode) => {
      if (messageId !== undefined && !hasEnded && client.connected) stream.write(encodePuback(messageId, reasonCode));
    });
  };

  return {
    close: () =>
      new Promise((resolve) => {
        hasEnded = true;
        const destroyTimer = setTimeout(() => stream.destroy(), CLOSE_MS_MAX);
        // Without a session there is nobody to say goodbye to.
        client.end(!client.connected, () => {
          clearTimeout(destroyTimer);
          resolve();
        });
      }),
  };
}

/** A PUBACK of MQTT 5: four bytes, and the reason code if it is not zero [MQTT-3.4.2.1]. */
export function encodePuback(packetId: number, reasonCode: number): Uint8Array {
  const id = [packetId >> 8, packetId & 0xff];
  return Uint8Array.from(reasonCode === 0 ? [0x40, 2, ...id] : [0x40, 3, ...id, reasonCode]);
}
