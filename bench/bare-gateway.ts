import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from '@nats-io/transport-node';
import mqtt, { type Packet } from 'mqtt-packet';

// The baseline of the benches for the Carillon channel, in a separate process: sockets and the codec, without
// authentication. Reports its port to the parent process, then executes the commands it receives.

export type GatewayCommand =
  | { readonly kind: 'publish'; readonly payload: string } // publishes to all connections; reports when all have acknowledged
  | { readonly kind: 'serve'; readonly natsUrls: readonly string[]; readonly subject: string }; // publishes each NATS request to one connection

const mqttOptions = { protocolVersion: 5 } as const;
const CONNACK = mqtt.generate({ cmd: 'connack', sessionPresent: false, returnCode: 0, reasonCode: 0 }, mqttOptions);
const PINGRESP = mqtt.generate({ cmd: 'pingresp' }, mqttOptions);

const sockets: Socket[] = [];
const pendingAcks = new Map<Socket, () => void>();
const parser = mqtt.parser(mqttOptions);
let parsed: Packet[] = [];
parser.on('packet', (packet) => parsed.push(packet));

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    // Assumes that each chunk consists of whole packets, because the simulated phones send only small packets.
    parser.parse(chunk);
    const packets = parsed;
    parsed = [];
    for (const { cmd } of packets) {
      if (cmd === 'connect') {
        sockets.push(socket);
        socket.write(CONNACK);
      } else if (cmd === 'pingreq') socket.write(PINGRESP);
      else if (cmd === 'puback') pendingAcks.get(socket)?.();
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());

process.on('message', (command: GatewayCommand) => {
  if (command.kind === 'publish') void publishToAll(command.payload).then(() => process.send?.({}));
  else void serve(command.natsUrls, command.subject).then(() => process.send?.({}));
});

async function publishToAll(payload: string): Promise<void> {
  const frame = frameOf(payload);
  await Promise.all(sockets.map((socket, i) => publish(socket, frame, (i % 65_535) + 1)));
}

/** Publishes each NATS request to one socket, and responds when the socket has acknowledged it. */
async function serve(natsUrls: readonly string[], subject: string): Promise<void> {
  const nats = await connect({ servers: [...natsUrls] });
  let next = 0;
  nats.subscribe(subject, {
    callback: (_, message) => {
      const socket = sockets[next++ % sockets.length] as Socket;
      void publish(socket, frameOf(message.string()), (next % 65_535) + 1).then(() => message.respond(''));
    },
  });
  await nats.flush();
}

const frameOf = (payload: string): Buffer =>
  mqtt.generate(
    { cmd: 'publish', topic: TOPIC, qos: 1, dup: false, retain: false, messageId: 1, payload },
    mqttOptions,
  );
const TOPIC = 'push';

function publish(socket: Socket, frame: Buffer, packetId: number): Promise<void> {
  const copy = Buffer.from(frame);
  let offset = 1;
  while (((copy[offset] as number) & 0x80) !== 0) offset++;
  copy.writeUInt16BE(packetId, offset + 1 + 2 + TOPIC.length);
  return new Promise((resolve) => {
    pendingAcks.set(socket, resolve);
    socket.write(copy);
  });
}
