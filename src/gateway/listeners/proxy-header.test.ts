import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readProxyHeader } from './proxy-header.ts';

const v1 = (line: string) => Buffer.from(`${line}\r\n`);
const v2 = (command: number, family: number, hex: string) => {
  const rest = Buffer.from(hex, 'hex');
  const fixed = Buffer.from('0d0a0d0a000d0a515549540a00000000', 'hex');
  fixed.writeUInt8(command, 12);
  fixed.writeUInt8(family, 13);
  fixed.writeUInt16BE(rest.length, 14);
  return Buffer.concat([fixed, rest]);
};
const v4Addresses = 'c0000201c0000202c35b075b';
const v6Addresses = '20010db8000000000000000000000007fe800000000000000000000000000001c35b075b';

describe('PROXY protocol header', () => {
  const good: [what: string, bytes: Buffer, address: string | undefined][] = [
    ['version 1 with IPv4', v1('PROXY TCP4 192.0.2.1 192.0.2.2 50011 1883'), '192.0.2.1'],
    ['version 1 with IPv6', v1('PROXY TCP6 2001:db8::7 2001:db8::8 50011 1883'), '2001:db8::7'],
    ['version 1 with UNKNOWN', v1('PROXY UNKNOWN'), undefined],
    ['version 1 with UNKNOWN and addresses', v1('PROXY UNKNOWN ::1 ::1 1 2'), undefined],
    ['version 2 with IPv4', v2(0x21, 0x11, v4Addresses), '192.0.2.1'],
    ['version 2 with IPv6', v2(0x21, 0x21, v6Addresses), '2001:0db8:0000:0000:0000:0000:0000:0007'],
    ['version 2 with data after the addresses', v2(0x21, 0x11, `${v4Addresses}040001aa`), '192.0.2.1'],
    ['version 2 with LOCAL', v2(0x20, 0x00, ''), undefined],
  ];
  for (const [what, bytes, address] of good)
    test(`accepts ${what} only when it is complete, and returns its length`, () => {
      const expected = { kind: 'header', length: bytes.length, address };
      assert.deepEqual(readProxyHeader(bytes), expected);
      assert.deepEqual(readProxyHeader(Buffer.concat([bytes, Buffer.from('100c')])), expected);
      for (let length = 0; length < bytes.length; length++)
        assert.deepEqual(readProxyHeader(bytes.subarray(0, length)), { kind: 'incomplete' }, `${length} bytes`);
    });

  const bad: [what: string, bytes: Buffer][] = [
    ['a CONNECT', Buffer.from('100c00044d515454', 'hex')],
    ['the start of a TLS handshake', Buffer.from('160301', 'hex')],
    ['an invalid address', v1('PROXY TCP4 invalid 192.0.2.2 50011 1883')],
    ['a line without ports', v1('PROXY TCP4 192.0.2.1 192.0.2.2')],
    ['a lower-case line', v1('proxy TCP4 192.0.2.1 192.0.2.2 50011 1883')],
    ['a line without a line break', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
    ['a line that is too long', v1(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
    ['an unknown command', v2(0x22, 0x11, v4Addresses)],
    ['an unknown version', v2(0x11, 0x11, v4Addresses)],
    ['datagrams', v2(0x21, 0x12, v4Addresses)],
    ['a Unix socket', v2(0x21, 0x31, '00'.repeat(216))],
    ['addresses that are too short', v2(0x21, 0x21, v4Addresses)],
    ['a header of more than 536 bytes', v2(0x21, 0x11, `${v4Addresses}${'00'.repeat(520)}`)],
  ];
  for (const [what, bytes] of bad)
    test(`rejects ${what}`, () => {
      assert.deepEqual(readProxyHeader(bytes), { kind: 'malformed' });
    });
});
