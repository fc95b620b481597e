import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

interface Load {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Returns the body of the nth call. */
  readonly bodyOf: (n: number) => string;
}

export interface LoadResult {
  readonly calls: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends calls over several connections, each of which waits for the response before its next call. It uses only sockets
 * and strings, because on two cores a heavier client would take CPU time from the measured server.
 */
export async function load({ port, path, headers, connections, seconds, bodyOf }: Load): Promise<LoadResult> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${lines.join('')}`;
  const times: number[] = [];
  let calls = 0;
  const began = performance.now();
  const until = began + seconds * 1_000;
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  await Promise.all(
    sockets.map(async (socket) => {
      const responses = new ResponseReader(socket);
      while (performance.now() < until) {
        const body = bodyOf(calls++);
        const sentAt = performance.now();
        socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        const response = await responses.next();
        if (!response.startsWith('HTTP/1.1 200 ')) throw new Error(`The call failed: ${response}`);
        times.push(performance.now() - sentAt);
      }
      socket.destroy();
    }),
  );
  const perSecond = (times.length * 1_000) / (performance.now() - began);
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(times.length * share)] as number;
  return { calls: times.length, perSecond, p50: percentile(0.5), p99: percentile(0.99) };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Reads complete responses from a connection that has one call in flight at a time. */
class ResponseReader {
  #text = '';
  #resolve: ((answer: string) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#append(text as unknown as string));
    socket.on('error', (error) => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('The connection was closed.')));
  }

  next(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #append(text: string): void {
    this.#text += text;
    const head = this.#text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1]);
    if (this.#text.length < head + 4 + length) return;
    const answer = this.#text;
    this.#text = '';
    this.#resolve?.(answer);
  }
}
