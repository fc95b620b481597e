import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Static } from 'typebox';
import type { Log } from '#src/foundation/log.ts';
import type { gatewaySettings } from '../settings.ts';
import {
  type CertificateFiles,
  HANDSHAKE_MS_MAX,
  readCertificate,
  type TlsOptions,
  watchCertificate,
} from './certificate.ts';
import type { DeviceSocket } from './device-socket.ts';
import { createWebSocketDoor } from './websocket.ts';

type DoorSettings = Static<typeof gatewaySettings>;

interface DoorsOptions {
  readonly settings: DoorSettings;
  readonly serve: (socket: DeviceSocket) => void;
  readonly log: Log;
}

/** The ports that devices come in by. One that is missing is shut. */
export interface DoorPorts {
  readonly tcp?: number;
  readonly tls?: number;
  readonly webSocket?: number;
}

export interface Doors {
  readonly ports: DoorPorts;
  /** Lets nobody in any more. Who is in stays; resolves when they have left. */
  close(): Promise<void>;
}

/** A port setting of this value keeps its door shut. */
const SHUT = -1;

/** Opens every way in that the settings name. */
export async function openDoors({ settings, serve, log }: DoorsOptions): Promise<Doors> {
  const files = certificateFilesOf(settings);
  const certificate = files && (await readCertificate(files));
  const tcp = createServer({ noDelay: true }, serve);
  const tls = certificate && createTlsDoor(certificate, serve);
  const origins = listOf(settings.CARILLON_MQTT_WEBSOCKET_ORIGINS);
  const webSocket = createWebSocketDoor({ origins, certificate, serve });

  const listen = async (name: keyof DoorPorts, server: Server | undefined, port: number) =>
    server && port !== SHUT ? { [name]: await listenOn(server, settings.CARILLON_MQTT_HOST, port) } : {};
  const ports: DoorPorts = {
    ...(await listen('tcp', tcp, settings.CARILLON_MQTT_PORT)),
    ...(await listen('tls', tls, settings.CARILLON_MQTT_TLS_PORT)),
    ...(await listen('webSocket', webSocket.server, settings.CARILLON_MQTT_WEBSOCKET_PORT)),
  };
  const watch =
    files &&
    certificate &&
    watchCertificate({
      files,
      current: certificate,
      onChange: (changed) => {
        tls?.setSecureContext(changed);
        webSocket.setCertificate(changed);
      },
      log,
    });
  return {
    ports,
    close: async () => {
      await Promise.all([ended(tcp), tls && ended(tls), webSocket.close(), watch?.stop()]);
    },
  };
}

/** Takes nobody in any more, and resolves when the last one has left. */
function ended(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function createTlsDoor(certificate: TlsOptions, serve: (socket: DeviceSocket) => void): TlsServer {
  const server = createTlsServer({ ...certificate, noDelay: true, handshakeTimeout: HANDSHAKE_MS_MAX }, serve);
  // Node tells of a handshake that failed or took too long, and leaves the socket as it is.
  return server.on('tlsClientError', (_error, socket) => socket.destroy());
}

function certificateFilesOf(settings: DoorSettings): CertificateFiles | undefined {
  const certificate = settings.CARILLON_MQTT_TLS_CERTIFICATE_FILE;
  const key = settings.CARILLON_MQTT_TLS_KEY_FILE;
  if ((certificate === '') !== (key === ''))
    throw new Error('CARILLON_MQTT_TLS_CERTIFICATE_FILE and CARILLON_MQTT_TLS_KEY_FILE go together.');
  return certificate === '' ? undefined : { certificate, key };
}

async function listenOn(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
