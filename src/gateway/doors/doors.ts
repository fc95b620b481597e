import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Static } from 'typebox';
import type { gatewaySettings } from '../settings.ts';
import type { DeviceSocket } from './device-socket.ts';
import { createWebSocketDoor } from './websocket.ts';

interface DoorsOptions {
  readonly settings: Static<typeof gatewaySettings>;
  readonly serve: (socket: DeviceSocket) => void;
}

/** The ports that devices come in by. One that is missing is shut. */
export interface DoorPorts {
  readonly tcp?: number;
  readonly webSocket?: number;
}

export interface Doors {
  readonly ports: DoorPorts;
  /** Lets nobody in any more. Who is in stays. */
  close(): void;
}

/** A port setting of this value keeps its door shut. */
const SHUT = -1;

/** Opens every way in that the settings name. */
export async function openDoors({ settings, serve }: DoorsOptions): Promise<Doors> {
  const listen = (server: Server, port: number) => listenOn(server, settings.CARILLON_MQTT_HOST, port);
  const tcp = createServer({ noDelay: true }, serve);
  const webSocket = createWebSocketDoor({ origins: listOf(settings.CARILLON_MQTT_WEBSOCKET_ORIGINS), serve });
  const ports = {
    ...(settings.CARILLON_MQTT_PORT !== SHUT && { tcp: await listen(tcp, settings.CARILLON_MQTT_PORT) }),
    ...(settings.CARILLON_MQTT_WEBSOCKET_PORT !== SHUT && {
      webSocket: await listen(webSocket, settings.CARILLON_MQTT_WEBSOCKET_PORT),
    }),
  };
  return {
    ports,
    close: () => {
      tcp.close();
      closeHttp(webSocket);
    },
  };
}

async function listenOn(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Those that have not finished their upgrade are cut off; those that have do not belong to the server any more. */
function closeHttp(server: HttpServer): void {
  server.close();
  server.closeAllConnections();
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
