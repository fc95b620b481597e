import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { guardedHead } from './guarded-head.ts';
import { isPublicAddress } from './public-address.ts';

describe('HEAD request to a URL supplied by a caller', () => {
  let server: Server;
  let port: number;
  const requests: (string | undefined)[] = [];
  const allowAll = () => true;

  before(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(302, { location: '/secret', 'content-length': '7' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  test('reads only the headers, and does not follow redirects', async () => {
    const answer = await guardedHead(new URL(`http://localhost:${port}/a.png`), allowAll);
    assert.deepEqual([answer?.status, answer?.headers['content-length']], [302, '7']);
    assert.deepEqual(requests.splice(0), ['HEAD /a.png']);
  });

  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
    test(`does not connect to ${host}, even if a server is listening on that address`, async () => {
      assert.equal(await guardedHead(new URL(`http://${host}:${port}/a.png`)), undefined);
      assert.deepEqual(requests, []);
    });

  test('is not sent to a URL with credentials', async () => {
    assert.equal(await guardedHead(new URL(`http://ada:secret@localhost:${port}/a.png`), allowAll), undefined);
    assert.deepEqual(requests, []);
  });
});

describe('public addresses', () => {
  const outside = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '2a00::1'];
  const inside = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fe80::1',
      'ff02::1',
      '2002:a00:1::',
      '2001:db8::1',
    ],
    ...['', 'localhost', '10.0.0'],
  ];

  test('are distinguished from reserved and invalid addresses', () => {
    assert.deepEqual(
      [...outside, ...inside].filter((address) => isPublicAddress(address)),
      outside,
    );
  });
});
