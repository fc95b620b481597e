import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { findMosquitto } from '../../scripts/stack/programs.ts';
import { eventually } from '../support/eventually.ts';

/**
 * Starts a Mosquitto broker on a loopback port. As far as its settings allow, it has the same features as the gateway.
 */
export async function startMosquitto(): Promise<{ port: number } & AsyncDisposable> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'carillon-mosquitto-'));
  const file = join(directory, 'mosquitto.conf');
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence false',
    'max_qos 1',
    'max_topic_alias 0',
    'retain_available false',
    'max_packet_size 65536',
    'log_type none',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  const broker = spawn(findMosquitto(), ['-c', file], { stdio: 'ignore' });
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  }, 10);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      broker.kill('SIGTERM');
      if (broker.exitCode === null) await once(broker, 'exit');
      await rm(directory, { recursive: true });
    },
  };
}
