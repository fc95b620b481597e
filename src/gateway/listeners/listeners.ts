import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Static } from 'typebox';
import type { Log } from '#src/foundation/log.ts';
import { Networks } from '#src/foundation/networks.ts';
import { listenWithSetting, SettingsError } from '#src/foundation/settings.ts';
import type { gatewaySettings } from '../settings.ts';
import type { DeviceSocket } from './device-socket.ts';
import type { PendingConnections } from './pending-connections.ts';
import { type CertificateFiles, readCertificate, watchCertificate } from './tls-certificate.ts';
import { consumeProxyHeader, TrustedProxies } from './trusted-proxies.ts';
import { createWebSocketListener } from './websocket.ts';

type ListenerSettings = Static<typeof gatewaySettings>;

interface ListenersOptions {
  readonly settings: ListenerSettings;
  readonly pendingConnections: PendingConnections;
  readonly serve: (socket: DeviceSocket) => void;
  readonly log: Log;
}

/** Open ports for devices. A missing port means that the listener is disabled. */
export interface ListenerPorts {
  readonly tcp?: number;
  readonly tls?: number;
  readonly webSocket?: number;
}

export interface Listeners {
  readonly ports: ListenerPorts;
  /** Stops accepting connections. Existing connections stay open; resolves when all of them are closed. */
  close(): Promise<void>;
}

/** The next step for an accepted socket. */
type SocketHandler = (socket: Socket) => void;

type PortSetting = 'CARILLON_MQTT_PORT' | 'CARILLON_MQTT_TLS_PORT' | 'CARILLON_MQTT_WEBSOCKET_PORT';

/** A port setting with this value disables the listener. */
const DISABLED_PORT = -1;

/**
 * Opens every listener that is enabled in the settings. A socket is admitted first. Then it passes through TLS, the
 * WebSocket upgrade, or both, and becomes a device socket. A trusted proxy sends the client address in a PROXY protocol
 * header. For WebSocket it uses `X-Forwarded-For`, because not all HTTP proxies support the PROXY protocol.
 */
export async function openListeners({
  settings,
  pendingConnections,
  serve,
  log,
}: ListenersOptions): Promise<Listeners> {
  const files = certificateFilesOf(settings);
  const certificate = files && (await readCertificate(files));
  const serveIfPending = (socket: Socket, device: DeviceSocket) => {
    if (pendingConnections.attachDevice(socket, device)) serve(device);
    else device.destroy();
  };
  const serveSocket: SocketHandler = (socket) => serveIfPending(socket, socket);
  const proxies = trustedProxiesOf(settings);
  const upgrade = createWebSocketListener({
    origins: splitList(settings.CARILLON_MQTT_WEBSOCKET_ORIGINS),
    isAdmitted: ({ socket, headers }: IncomingMessage) => {
      const { remoteAddress } = socket;
      if (!proxies.has(remoteAddress)) return true;
      const forwardedFor = [headers['x-forwarded-for'] ?? ''].join(',');
      return pendingConnections.setClientAddress(
        socket,
        proxies.clientAddressOf(forwardedFor, remoteAddress as string),
      );
    },
    serve: serveIfPending,
  });
  const tlsServers: TlsServer[] = [];
  const withTls = (handleSocket: SocketHandler): SocketHandler => {
    if (!certificate) return handleSocket;
    const server = createTlsServer(certificate, handleSocket);
    tlsServers.push(server);
    return (socket) => void server.emit('connection', socket);
  };

  const servers: Server[] = [];
  const openPort = async (name: keyof ListenerPorts, setting: PortSetting, handleSocket: SocketHandler) => {
    const port = settings[setting];
    if (port === DISABLED_PORT) return {};
    const server = createServer({ noDelay: true }, (socket) => {
      const isProxy = proxies.has(socket.remoteAddress);
      if (!pendingConnections.admit(socket, { isProxy })) return;
      if (!isProxy || name === 'webSocket') handleSocket(socket);
      else
        consumeProxyHeader(
          socket,
          (client) => pendingConnections.setClientAddress(socket, client) && handleSocket(socket),
        );
    });
    servers.push(server);
    const listen = () => listenOn(server, settings.CARILLON_MQTT_HOST, port);
    return { [name]: await listenWithSetting(setting, port, listen) };
  };
  const ports: ListenerPorts = {
    ...(await openPort('tcp', 'CARILLON_MQTT_PORT', serveSocket)),
    ...(certificate && (await openPort('tls', 'CARILLON_MQTT_TLS_PORT', withTls(serveSocket)))),
    ...(await openPort('webSocket', 'CARILLON_MQTT_WEBSOCKET_PORT', withTls(upgrade))),
  };
  const certificateWatcher =
    files &&
    certificate &&
    watchCertificate({
      files,
      current: certificate,
      onChange: (tlsOptions) => {
        for (const server of tlsServers) server.setSecureContext(tlsOptions);
      },
      log,
    });
  return {
    ports,
    close: async () => {
      await Promise.all([...servers.map(closeServer), certificateWatcher?.stop()]);
    },
  };
}

/** Throws if the listener settings are invalid, before a listener is opened. */
export function checkListenerSettings(settings: ListenerSettings): void {
  certificateFilesOf(settings);
  trustedProxiesOf(settings);
}

/** Stops accepting connections and resolves when the last connection is closed. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function certificateFilesOf(settings: ListenerSettings): CertificateFiles | undefined {
  const certificate = settings.CARILLON_MQTT_TLS_CERTIFICATE_FILE;
  const key = settings.CARILLON_MQTT_TLS_KEY_FILE;
  if ((certificate === '') !== (key === ''))
    throw new SettingsError([
      'CARILLON_MQTT_TLS_CERTIFICATE_FILE and CARILLON_MQTT_TLS_KEY_FILE must be set together: set both, or neither',
    ]);
  return certificate === '' ? undefined : { certificate, key };
}

const trustedProxiesOf = ({ CARILLON_MQTT_TRUSTED_PROXIES: text }: ListenerSettings): TrustedProxies =>
  new TrustedProxies(new Networks('CARILLON_MQTT_TRUSTED_PROXIES', text));

async function listenOn(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
