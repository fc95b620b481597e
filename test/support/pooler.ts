import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';

/** A stand-in for PgBouncer in transaction mode. */
export interface Pooler extends AsyncDisposable {
  /** The URL of the same database through the pooler. */
  readonly url: string;
  /** Closes every client connection without a message, like a network failure. */
  closeClients(): void;
}

/** AuthenticationOk, ReadyForQuery. */
const AUTHENTICATED_AND_READY = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

/**
 * Assigns PostgreSQL connections to clients in turn, for one transaction at a time, without resetting them. Startup
 * parameters of clients are ignored (`ignore_startup_parameters`).
 */
export async function startPooler(databaseUrl: string, connections: number): Promise<Pooler> {
  const clients = new Set<Socket>();
  const servers = await Promise.all(Array.from({ length: connections }, () => connectRaw(databaseUrl)));
  const handlers = new Map<Socket, (message: Buffer) => void>();
  for (const server of servers) onMessages(server, (message) => handlers.get(server)?.(message));

  const idle = [...servers];
  const waiting: ((server: Socket) => void)[] = [];
  const acquire = () => new Promise<Socket>((resolve) => waiting.push(resolve));
  const assignIdle = () => {
    while (idle.length > 0 && waiting.length > 0) waiting.shift()?.(idle.shift() as Socket);
  };

  const listener = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.on('error', () => undefined);
    let acquired: Promise<Socket> | undefined;
    const send = async (message: Buffer) => {
      acquired ??= acquire();
      assignIdle();
      const server = await acquired;
      handlers.set(server, (reply) => {
        client.write(reply);
        if (!isEndOfTransaction(reply)) return;
        acquired = undefined;
        handlers.delete(server);
        idle.push(server);
        assignIdle();
      });
      server.write(message);
    };
    // If a client disconnects during a transaction, its connection to PostgreSQL is closed too.
    client.once('close', () => {
      clients.delete(client);
      void acquired?.then((server) => server.destroy());
    });
    client.once('data', () => {
      client.write(AUTHENTICATED_AND_READY);
      onMessages(client, (message) => (message.toString('latin1', 0, 1) === 'X' ? client.end() : void send(message)));
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);
  const closeClients = () => {
    for (const client of clients) client.destroy();
  };
  return {
    url: url.href,
    closeClients,
    [Symbol.asyncDispose]: async () => {
      closeClients();
      for (const server of servers) server.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

const isEndOfTransaction = (message: Buffer): boolean => message.toString('latin1') === 'Z\0\0\0\x05I';

/** Connects with a regular client and takes over its socket. */
async function connectRaw(connectionString: string): Promise<Socket> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  return stream;
}

/** Calls `onMessage` for each message. A message is a letter, a length that includes itself, and the content. */
function onMessages(socket: Socket, onMessage: (message: Buffer) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 5 && bytes.length > bytes.readUInt32BE(1)) {
      const length = 1 + bytes.readUInt32BE(1);
      onMessage(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
  });
}
