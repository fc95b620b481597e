import mqtt, { type IClientOptions } from 'mqtt';
import type { DeviceCredentials } from './credentials.ts';
import type { DisconnectInfo } from './events.ts';

interface ConnectionOptions {
  readonly gateway: string;
  readonly credentials: DeviceCredentials;
  readonly ca: string | undefined;
  readonly keepAliveSeconds: number;
  /** Returns the reason code for the PUBACK; never rejects. */
  readonly onMessage: (payload: Uint8Array) => Promise<number>;
  /** Handles the recall of a notification; never rejects. */
  readonly onRecall: (payload: Uint8Array) => Promise<void>;
  readonly onOpen: () => void;
  /** Called once, unless this side closed the connection. */
  readonly onEnd: (ending: DisconnectInfo) => void;
}

/** One connection to one gateway. It ends once and does not reconnect. */
export interface Connection {
  close(): Promise<void>;
}

const RECALL_TOPIC = 'recall';
/** A SUBSCRIBE of MQTT 5 to `recall` with QoS 0. It is the only packet with a packet id that the client chooses. */
const RECALL_SUBSCRIPTION = Uint8Array.from([
  0x82,
  12,
  0,
  1,
  0,
  0,
  6,
  ...[...RECALL_TOPIC].map((c) => c.charCodeAt(0)),
  0,
]);
const CONNECT_MS_MAX = 15_000;
/** Maximum time to write the last packets when the connection is closed. */
const CLOSE_MS_MAX = 2_000;
/**
 * Maximum number of notifications that are shown at the same time. A gateway has the same limit for unacknowledged
 * notifications.
 */
const RECEIVE_MAXIMUM = 20;

export function openConnection(options: ConnectionOptions): Connection {
  const { gateway, credentials, ca, keepAliveSeconds, onMessage, onRecall, onOpen, onEnd } = options;
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
    ...miniProgramOptions(gateway),
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
    if (hasEnded) return;
    // Written directly, because MQTT.js would not close the connection before the SUBACK. A gateway of an older version
    // rejects the subscription, and sends no recalls.
    stream.write(RECALL_SUBSCRIPTION);
    onOpen();
  });
  client.on('disconnect', ({ reasonCode }) => end({ reason: 'The gateway ended the session.', reasonCode }));
  client.on('error', (error) => {
    const { code } = error as { code?: unknown };
    // Node's error has no message if every address of a host refused the connection.
    const reason = error.message || (typeof code === 'string' ? code : 'The connection failed.');
    end({ reason, reasonCode: typeof code === 'number' ? code : undefined });
  });
  client.on('close', () => end({ reason: 'The connection was lost.', reasonCode: undefined }));

  /**
   * MQTT.js acknowledges a message when the callback is called, and reads no further packets until then. A ping
   * response, a DISCONNECT or another notification would wait for the handler. Calling back with an error makes MQTT.js
   * continue without a PUBACK. The PUBACK is written when the handler has ended, and only on this connection, because
   * packet ids restart with each connection.
   */
  client.handleMessage = (packet, done) => {
    done(new Error('The message is acknowledged later.'));
    const { messageId, payload } = packet;
    const bytes = payload as Uint8Array; // MQTT.js never passes a received payload as a string
    if (packet.topic === RECALL_TOPIC) {
      void onRecall(bytes);
      return;
    }
    void onMessage(bytes).then((reasonCode) => {
      if (messageId !== undefined && !hasEnded && client.connected) stream.write(encodePuback(messageId, reasonCode));
    });
  };

  return {
    close: () =>
      new Promise((resolve) => {
        hasEnded = true;
        const destroyTimer = setTimeout(() => stream.destroy(), CLOSE_MS_MAX);
        // Without a session there is no DISCONNECT to send.
        client.end(!client.connected, () => {
          clearTimeout(destroyTimer);
          resolve();
        });
      }),
  };
}

/**
 * Returns the options for the WebSocket of a mini program, which MQTT.js does not recognise as a browser. Without
 * `transformWsUrl`, it would drop the path of an `alis` URL. WeChat's API is the global `wx`, and Alipay's API is `my`.
 */
function miniProgramOptions(gateway: string): IClientOptions {
  if (!/^(wxs|alis):/.test(gateway)) return {};
  const { my } = globalThis as { my?: unknown };
  return { forceNativeWebSocket: true, transformWsUrl: () => gateway.replace(/^\w+/, 'wss'), my } as IClientOptions;
}

/** Encodes a PUBACK of MQTT 5: four bytes, and the reason code if it is not zero [MQTT-3.4.2.1]. */
export function encodePuback(packetId: number, reasonCode: number): Uint8Array {
  const id = [packetId >> 8, packetId & 0xff];
  return Uint8Array.from(reasonCode === 0 ? [0x40, 2, ...id] : [0x40, 3, ...id, reasonCode]);
}
