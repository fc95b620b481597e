import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { BackendAddresses } from './proxy-process.ts';

/** Servers behind a proxy whose behaviour a test can choose. They answer every path, and hold MQTT connections open. */
export interface Upstream extends AsyncDisposable {
  readonly places: BackendAddresses;
  /** The reaction to a request: a response, no response, or a closed connection. */
  behaviour: 'respond' | 'hang' | 'close';
  /** Number of HTTP requests that have reached the servers, without health checks. */
  requestCount: number;
  /** Number of bytes that have reached the MQTT server. */
  bytesReceived: number;
}

export async function startUpstream(): Promise<Upstream> {
  const http = createServer((request, response) => {
    if (request.url === '/readyz') return void response.end();
    upstream.requestCount++;
    if (upstream.behaviour === 'close') request.socket.destroy();
    request.resume().on('end', () => {
      if (upstream.behaviour === 'respond') response.setHeader('content-type', 'application/json').end('{"code":200}');
    });
  });
  const mqtt = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', ({ length }) => {
      upstream.bytesReceived += length;
    });
  });
  const [port, mqttPort] = await Promise.all([listen(http), listen(mqtt)]);
  const place = { port, healthPort: port };
  const mqttPlace = { port: mqttPort, healthPort: port };
  const upstream: Upstream = {
    places: {
      'api-1:8080': place,
      'api-2:8080': place,
      'gateway-1:8083': place,
      'gateway-2:8083': place,
      'gateway-1:1883': mqttPlace,
      'gateway-2:1883': mqttPlace,
    },
    behaviour: 'respond',
    requestCount: 0,
    bytesReceived: 0,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      mqtt.close();
      await once(http, 'close');
    },
  };
  return upstream;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
