import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { createServerIdentity } from '../../../simulators/kit/certificate.ts';
import type { ServerIdentity } from '../../../simulators/kit/server-identity.ts';
import { type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';

describe('device connections over TLS', () => {
  let carillon: Carillon;
  let user: TestUser;
  let directory: string;
  let identity: ServerIdentity;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'carillon-tls-'));
    identity = createServerIdentity(Date.now());
    await write(identity.certificatePem, identity.keyPem);
    carillon = await startCarillon({
      settings: { CARILLON_MQTT_TLS_CERTIFICATE_FILE: certificateFile(), CARILLON_MQTT_TLS_KEY_FILE: keyFile() },
    });
    user = await carillon.createUser('ada');
  });
  after(async () => {
    await carillon[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const gateway = () => carillon.gateways[0] as RoleProcess;
  const certificateFile = () => join(directory, 'certificate.pem');
  const keyFile = () => join(directory, 'key.pem');
  const logged = (event: string) => carillon.logLines.filter((line) => line.includes(`"${event}"`)).length;

  async function write(certificate: string, key: string): Promise<void> {
    await writeFile(certificateFile(), certificate);
    await writeFile(keyFile(), key);
  }

  /** Performs a TLS handshake with a listener. Throws the error of a failed handshake. */
  async function shakeHands(port: number | undefined, options: ConnectionOptions = {}): Promise<TLSSocket> {
    const socket = connectTls({ port: port as number, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    await once(socket, 'secureConnect');
    return socket;
  }

  /** Returns the fingerprints of the certificates that the two listeners present to new connections. */
  async function shown(): Promise<string[]> {
    const { tls, webSocket } = gateway().ports;
    const sockets = await Promise.all([shakeHands(tls), shakeHands(webSocket)]);
    return sockets.map((socket) => {
      const { fingerprint256 } = socket.getPeerX509Certificate() as X509Certificate;
      socket.destroy();
      return fingerprint256;
    });
  }

  const bothShow = async (expected: ServerIdentity) => {
    const { fingerprint256 } = new X509Certificate(expected.certificatePem);
    assert.deepEqual(await shown(), [fingerprint256, fingerprint256]);
  };

  test('mqtts and wss clients keep their sessions when the certificate is replaced, and new clients get the new certificate', async () => {
    const { caPem: ca } = identity;
    const [one, two] = [await carillon.logIn(user, 'one'), await carillon.logIn(user, 'two')];
    await using byTls = await connectDevice(gateway(), one, { url: gateway().mqttTlsUrl, ca });
    await using byWebSocket = await connectDevice(gateway(), two, { url: gateway().webSocketUrl, ca });
    assert.match(gateway().webSocketUrl, /^wss:/);
    await bothShow(identity);

    identity = createServerIdentity(Date.now());
    await write(identity.certificatePem, identity.keyPem);
    await eventually(() => bothShow(identity));

    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'x'.repeat(3_000) });
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [2, 2, 2] }));
    assert.deepEqual([byTls.closes, byWebSocket.closes], [0, 0]);
    await using third = await connectDevice(gateway(), await carillon.logIn(user, 'three'), {
      url: gateway().mqttTlsUrl,
      ca: identity.caPem,
    });
    assert.ok(third.client.connected);
  });

  const { certificatePem: foreign } = createServerIdentity(Date.now());
  const broken: [what: string, breakIt: () => Promise<void>][] = [
    ['a certificate that does not belong to the key', () => writeFile(certificateFile(), foreign)],
    ['a truncated file', () => writeFile(keyFile(), identity.keyPem.slice(0, 500))],
    ['a missing file', () => rename(keyFile(), `${keyFile()}.away`)],
  ];
  for (const [what, breakIt] of broken)
    test(`${what} is logged, and the previous certificate stays in use`, async () => {
      const before = logged('tls-reload-rejected');
      await breakIt();
      await eventually(() => assert.equal(logged('tls-reload-rejected'), before + 1));
      await bothShow(identity);

      const changes = logged('tls-reloaded');
      await write(identity.certificatePem, identity.keyPem);
      await eventually(() => assert.equal(logged('tls-reloaded'), changes + 1));
      assert.equal(logged('tls-reload-rejected'), before + 1, 'the error is logged once');
      await bothShow(identity);
    });

  test('rejects TLS 1.1 and accepts TLS 1.2 and 1.3, also after a reload', async () => {
    for (const port of [gateway().ports.tls, gateway().ports.webSocket]) {
      const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      await assert.rejects(shakeHands(port, old), /alert protocol version/);
      for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
        const socket = await shakeHands(port, { minVersion: version, maxVersion: version });
        assert.equal(socket.getProtocol(), version);
        socket.destroy();
      }
    }
  });

  test('rejects renegotiation', async () => {
    const socket = await shakeHands(gateway().ports.tls, { maxVersion: 'TLSv1.2' });
    const refused = new Promise<Error | null>((resolve) => {
      socket.resume().once('error', resolve);
      socket.renegotiate({ rejectUnauthorized: false }, resolve);
    });
    assert.match(String(await refused), /no renegotiation/i);
    socket.destroy();
  });

  test('closes an incomplete handshake after five seconds, and a connection with other data immediately', async () => {
    const begun = performance.now();
    const lasted = async (port: number | undefined, bytes: string) => {
      const socket = connect(port as number, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(Buffer.from(bytes, 'hex'));
      await once(socket, 'close');
      return performance.now() - begun;
    };
    const { tls, webSocket } = gateway().ports;
    const slow = [lasted(tls, ''), lasted(webSocket, ''), lasted(tls, '160301'), lasted(webSocket, '160301')];
    for (const port of [tls, webSocket])
      assert.ok((await lasted(port, '100c00044d515454')) < 1_000, 'a connection without TLS is closed immediately');
    for (const ms of await Promise.all(slow)) assert.ok(ms > 4_000 && ms < 6_500, `${ms} ms`);
  });

  test('a gateway does not start with only one of the two files, or if they do not match', async () => {
    const half = { CARILLON_MQTT_TLS_KEY_FILE: '' };
    await assert.rejects(carillon.start('gateway', half), /must be set together/);
    const file = join(directory, 'foreign.pem');
    await writeFile(file, foreign);
    await assert.rejects(carillon.start('gateway', { CARILLON_MQTT_TLS_CERTIFICATE_FILE: file }), /mismatch/i);
  });
});
