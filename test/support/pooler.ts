import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';

/** A stand-in for PgBouncer in transaction mode. */
export interface Pooler extends AsyncDisposable {
  /** The same database through it. */
  readonly url: string;
  /** Breaks every connection to a client, as a network does: without a word. */
  cut(): void;
}

/** AuthenticationOk, ReadyForQuery. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

/**
 * Lends connections to PostgreSQL to whoever comes, for one transaction each and in turn, as the one before left them. What
 * clients wish when they connect is not heard (`ignore_startup_parameters`).
 */
export async function startPooler(databaseUrl: string, connections: number): Promise<Pooler> {
  const clients = new Set<Socket>();
  const servers = await Promise.all(Array.from({ length: connections }, () => connectRaw(databaseUrl)));
  const hears = new Map<Socket, (message: Buffer) => void>();
  for (const server of servers) onMessages(server, (message) => hears.get(server)?.(message));

  const idle = [...servers];
  const waiting: ((server: Socket) => void)[] = [];
  const borrow = () => new Promise<Socket>((lend) => waiting.push(lend));
  const lendIdle = () => {
    while (idle.length > 0 && waiting.length > 0) waiting.shift()?.(idle.shift() as Socket);
  };

  const listener = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.on('error', () => undefined);
    let borrowed: Promise<Socket> | undefined;
    const send = async (message: Buffer) => {
      borrowed ??= borrow();
      lendIdle();
      const server = await borrowed;
      hears.set(server, (answer) => {
        client.write(answer);
        if (!isEndOfTransaction(answer)) return;
        borrowed = undefined;
        hears.delete(server);
        idle.push(server);
        lendIdle();
      });
      server.write(message);
    };
    // One that goes in the middle of a transaction takes its connection with it.
    client.once('close', () => {
      clients.delete(client);
      void borrowed?.then((server) => server.destroy());
    });
    client.once('data', () => {
      client.write(WELCOME);
      onMessages(client, (message) => (message.toString('latin1', 0, 1) === 'X' ? client.end() : void send(message)));
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);
  const cut = () => {
    for (const client of clients) client.destroy();
  };
  return {
    url: url.href,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut();
      for (const server of servers) server.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

const isEndOfTransaction = (message: Buffer): boolean => message.toString('latin1') === 'Z\0\0\0\x05I';

/** Logs in as any client does, and takes the socket from under it. */
async function connectRaw(connectionString: string): Promise<Socket> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  return stream;
}

/** Both sides speak in messages: a letter, a length that counts itself, and the rest. */
function onMessages(socket: Socket, hear: (message: Buffer) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 5 && bytes.length > bytes.readUInt32BE(1)) {
      const length = 1 + bytes.readUInt32BE(1);
      hear(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
  });
}
