import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import type { Carillon } from '../../support/carillon.ts';
import type { NetworkMode, PhoneNetwork } from './phone-network.ts';

export interface ControlServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts an HTTP server through which a test in Kotlin asks for actions: `/network/<mode>`, `/gateway/kill`,
 * `/gateway/start` and `/requests?path=`.
 */
export async function startControlServer(
  carillon: Carillon,
  networks: { readonly api: PhoneNetwork; readonly gateway: PhoneNetwork },
): Promise<ControlServer> {
  const actions: Readonly<Record<string, (url: URL) => Promise<object> | object>> = {
    '/network/up': () => setMode('up'),
    '/network/down': () => setMode('down'),
    '/network/no-uplink': () => {
      networks.gateway.setMode('no-uplink');
      return {};
    },
    '/gateway/kill': async () => {
      await currentGateway().kill();
      return {};
    },
    '/gateway/start': async () => {
      await carillon.start('gateway');
      networks.gateway.targetPort = currentGateway().ports.gateway as number;
      return {};
    },
    '/requests': (url) => ({ count: networks.api.requestCount(url.searchParams.get('path') ?? '') }),
  };
  const currentGateway = (): RoleProcess => carillon.gateways.at(-1) ?? assert.fail('no gateway was started');
  const setMode = (mode: NetworkMode) => {
    for (const network of Object.values(networks)) network.setMode(mode);
    return {};
  };
  const respond = async (target: string, response: ServerResponse) => {
    const url = new URL(target, 'http://control');
    try {
      const result = await actions[url.pathname]?.(url);
      response.statusCode = result === undefined ? 404 : 200;
      response.end(JSON.stringify(result ?? {}));
    } catch (error) {
      response.statusCode = 500;
      response.end(JSON.stringify({ error: String(error) }));
    }
  };
  const server = createServer((request, response) => void respond(request.url ?? '/', response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
