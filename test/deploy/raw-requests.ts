import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Sender {
  readonly port: number;
  readonly ca: string;
  /** Source address of the connection. */
  readonly localAddress?: string;
  /** Address in a PROXY protocol header. */
  readonly proxiedAddress?: string;
}

/** Sends text over TLS, and returns what was received until the connection was closed. */
export async function sendRaw({ port, ca, localAddress, proxiedAddress }: Sender, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  socket.on('error', () => undefined);
  if (proxiedAddress) socket.write(`PROXY TCP6 ${proxiedAddress} ::1 1000 443\r\n`);
  const tls = connectTls({ socket, ca, host: '127.0.0.1' });
  let received = '';
  tls.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  tls.on('error', () => undefined);
  tls.once('close', resolve);
  tls.once('secureConnect', () => tls.write(text));
  await promise;
  return received;
}

/** Number of requests on each connection of a flood. */
const REQUESTS_PER_CONNECTION = 250;

/** Sends many requests over several connections as fast as possible, and returns the responses. */
export async function flood(
  sender: Sender,
  path: string,
  requests: number,
): Promise<{ statuses: number[]; text: string }> {
  const request = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n`;
  const text = [
    ...Array<string>(REQUESTS_PER_CONNECTION - 1).fill(request),
    `${request}connection: close\r\n`,
    '',
  ].join('\r\n');
  const connections = Array.from({ length: requests / REQUESTS_PER_CONNECTION }, () => sendRaw(sender, text));
  const received = (await Promise.all(connections)).join('');
  return {
    statuses: [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
    text: received,
  };
}
