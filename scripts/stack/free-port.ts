import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports are below the range that Linux uses for outgoing connections (32768 and up). While a server is down, an
 * outgoing connection could occupy a port in that range. A client that reconnects in a loop can even connect to itself.
 */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;

const ATTEMPTS_MAX = 100;

/** Returns a loopback port on which no process is currently listening: the preferred port if it is free. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred))) return preferred;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${PORT_MIN} and ${PORT_MAX} after ${ATTEMPTS_MAX} attempts.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
