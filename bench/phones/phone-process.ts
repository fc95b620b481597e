import { connect, type Socket } from 'node:net';
import mqtt from 'mqtt-packet';
import type { Phone, PhoneCommand, PhoneReport } from './phones.ts';

// Simulates many phones in one process: each connects and acknowledges its notifications. It uses only sockets and
// bytes, because on two cores a heavier client would take CPU time from the measured gateway.

const CONNECTING_MAX = 16;
const KEEP_ALIVE_SECONDS = 600;
const CONNACK = 2;
const PUBLISH = 3;
const TASK_ID = /"task_id":"(\d+)"/;

/** Each acknowledged task id with the time of its acknowledgement. Undefined if acknowledgements are not recorded. */
let acknowledgementTimes: [string, number][] | undefined;
const sockets: Socket[] = [];
let acknowledged = 0;
let acknowledgeMs = 0;

process.on('message', (command: PhoneCommand) => {
  void execute(command).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());

async function execute(command: PhoneCommand): Promise<PhoneReport> {
  switch (command.kind) {
    case 'connect': {
      const remaining = [...command.phones];
      const work = async () => {
        for (let phone = remaining.pop(); phone; phone = remaining.pop())
          await connectPhone(phone, phone.port, command.address);
      };
      await Promise.all(Array.from({ length: CONNECTING_MAX }, work));
      return { connected: sockets.length };
    }
    case 'delay':
      acknowledgeMs = command.acknowledgeMs;
      return {};
    case 'note':
      acknowledgementTimes = [];
      return {};
    case 'count':
      return { acknowledged };
    case 'tell':
      return { acknowledgementTimes };
  }
}

function connectPhone({ guid, pushToken, token }: Phone, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address, noDelay: true });
    sockets.push(socket);
    socket.on('error', reject);
    socket.on('close', () => {
      throw new Error('A phone was disconnected.'); // fewer phones would change the measurement
    });
    socket.write(
      mqtt.generate({
        ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clean: true, clientId: guid },
        ...{ username: pushToken, password: Buffer.from(token), keepalive: KEEP_ALIVE_SECONDS },
      } as Parameters<typeof mqtt.generate>[0]),
    );
    let incomplete: Buffer | undefined;
    socket.on('data', (chunk: Buffer) => {
      let bytes = incomplete ? Buffer.concat([incomplete, chunk]) : chunk;
      for (let size = packetSize(bytes); size > 0 && bytes.length >= size; size = packetSize(bytes)) {
        const kind = (bytes[0] as number) >> 4;
        const packet = bytes.subarray(0, size);
        if (kind === PUBLISH && acknowledgeMs === 0) acknowledge(socket, packet);
        else if (kind === PUBLISH) setTimeout(acknowledge, acknowledgeMs, socket, packet);
        else if (kind === CONNACK && bytes[3] === 0) resolve();
        else if (kind === CONNACK)
          reject(new Error(`A phone was rejected with reason code 0x${bytes[3]?.toString(16)}.`));
        bytes = bytes.subarray(size);
      }
      incomplete = bytes.length > 0 ? bytes : undefined;
    });
  });
}

function acknowledge(socket: Socket, publish: Buffer): void {
  const offset = lengthEnd(publish) + 2 + publish.readUInt16BE(lengthEnd(publish));
  socket.write(Buffer.from([0x40, 2, publish[offset] as number, publish[offset + 1] as number]));
  acknowledged++;
  if (!acknowledgementTimes) return;
  const taskId = TASK_ID.exec(publish.toString('latin1', offset))?.[1];
  if (taskId) acknowledgementTimes.push([taskId, performance.timeOrigin + performance.now()]);
}

/** Returns the offset after a packet's length field, or 0 if the field is incomplete. */
function lengthEnd(bytes: Buffer): number {
  for (let i = 1; i < bytes.length; i++) if (((bytes[i] as number) & 0x80) === 0) return i + 1;
  return 0;
}

function packetSize(bytes: Buffer): number {
  const end = lengthEnd(bytes);
  if (end === 0) return 0;
  let remaining = 0;
  for (let i = 1; i < end; i++) remaining += ((bytes[i] as number) & 0x7f) * 128 ** (i - 1);
  return end + remaining;
}
