import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Static } from 'typebox';
import type { Log } from '#src/foundation/log.ts';
import { Networks } from '#src/foundation/networks.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import type { gatewaySettings } from '../settings.ts';
import type { DeviceSocket } from './device-socket.ts';
import type { Unopened } from './pending-connections.ts';
import { type CertificateFiles, readCertificate, watchCertificate } from './tls-certificate.ts';
import { Proxies, takeProxyHeader } from './trusted-proxies.ts';
import { createWebSocketDoor } from './websocket.ts';

type DoorSettings = Static<typeof gatewaySettings>;

interface DoorsOptions {
  readonly settings: DoorSettings;
  readonly unopened: Unopened;
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

/** What happens next to a socket on its way in. */
type Step = (socket: Socket) => void;

/** A port setting of this value keeps its door shut. */
const SHUT = -1;

/**
 * Opens every way in that the settings name. A socket is admitted, then handed through TLS, or the upgrade to a
 * WebSocket, or both, and is a device's socket at the end. A proxy tells first whose connection it brings: in a header
 * of the PROXY protocol, and by WebSocket in the request, since proxies of HTTP do not all know that protocol.
 */
export async function openDoors({ settings, unopened, serve, log }: DoorsOptions): Promise<Doors> {
  const files = certificateFilesOf(settings);
  const certificate = files && (await readCertificate(files));
  const serveKnown = (socket: Socket, device: DeviceSocket) => {
    if (unopened.serve(socket, device)) serve(device);
    else device.destroy();
  };
  const serveSocket: Step = (socket) => serveKnown(socket, socket);
  const proxies = proxiesOf(settings);
  const upgrade = createWebSocketDoor({
    origins: listOf(settings.CARILLON_MQTT_WEBSOCKET_ORIGINS),
    isWelcome: ({ socket, headers }: IncomingMessage) => {
      const { remoteAddress } = socket;
      if (!proxies.has(remoteAddress)) return true;
      const forwardedFor = [headers['x-forwarded-for'] ?? ''].join(',');
      return unopened.comesFrom(socket, proxies.clientOf(forwardedFor, remoteAddress as string));
    },
    serve: serveKnown,
  });
  const secured: TlsServer[] = [];
  const secure = (next: Step): Step => {
    if (!certificate) return next;
    const server = createTlsServer(certificate, next);
    secured.push(server);
    return (socket) => void server.emit('connection', socket);
  };

  const servers: Server[] = [];
  const open = async (name: keyof DoorPorts, port: number, step: Step) => {
    if (port === SHUT) return {};
    const server = createServer({ noDelay: true }, (socket) => {
      const isProxy = proxies.has(socket.remoteAddress);
      if (!unopened.admit(socket, { isProxy })) return;
      if (!isProxy || name === 'webSocket') step(socket);
      else takeProxyHeader(socket, (client) => unopened.comesFrom(socket, client) && step(socket));
    });
    servers.push(server);
    return { [name]: await listenOn(server, settings.CARILLON_MQTT_HOST, port) };
  };
  const ports: DoorPorts = {
    ...(await open('tcp', settings.CARILLON_MQTT_PORT, serveSocket)),
    ...(certificate && (await open('tls', settings.CARILLON_MQTT_TLS_PORT, secure(serveSocket)))),
    ...(await open('webSocket', settings.CARILLON_MQTT_WEBSOCKET_PORT, secure(upgrade))),
  };
  const watch =
    files &&
    certificate &&
    watchCertificate({
      files,
      current: certificate,
      onChange: (changed) => {
        for (const server of secured) server.setSecureContext(changed);
      },
      log,
    });
  return {
    ports,
    close: async () => {
      await Promise.all([...servers.map(ended), watch?.stop()]);
    },
  };
}

/** What is wrong with the settings of the doors, before one is opened. */
export function checkDoors(settings: DoorSettings): void {
  certificateFilesOf(settings);
  proxiesOf(settings);
}

/** Takes nobody in any more, and resolves when the last one has left. */
function ended(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function certificateFilesOf(settings: DoorSettings): CertificateFiles | undefined {
  const certificate = settings.CARILLON_MQTT_TLS_CERTIFICATE_FILE;
  const key = settings.CARILLON_MQTT_TLS_KEY_FILE;
  if ((certificate === '') !== (key === ''))
    throw new SettingsError([
      'CARILLON_MQTT_TLS_CERTIFICATE_FILE and CARILLON_MQTT_TLS_KEY_FILE go together: set both, or neither',
    ]);
  return certificate === '' ? undefined : { certificate, key };
}

const proxiesOf = ({ CARILLON_MQTT_TRUSTED_PROXIES: text }: DoorSettings): Proxies =>
  new Proxies(new Networks('CARILLON_MQTT_TRUSTED_PROXIES', text));

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
