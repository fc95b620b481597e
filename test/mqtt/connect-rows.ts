import type { DifferentialRow } from './differential-row.ts';
import { type Credentials, connectBytes, join, PINGREQ, packet, publish, text, type Version } from './packet-bytes.ts';

const RETAINED_WILL = 0xe6;
const WILL = 0xc6;

/**
 * Returns rows with a valid or invalid first packet. If the server accepts the packet, only the final PUBLISH of
 * `exchangePackets` follows.
 */
export function connectRows(version: Version, credentials: Credentials): DifferentialRow[] {
  const connect = (change: Parameters<typeof connectBytes>[2]) => connectBytes(version, credentials, change);
  const will = join(version === 5 ? '00' : '', text('will'), text('gone'));
  return [
    { name: 'a valid CONNECT', connect: connect({}) },
    { name: 'a CONNECT that resumes a session', connect: connect({ flags: 0xc0 }) },
    { name: 'a CONNECT without a keep-alive', connect: connect({ keepAlive: 0 }) },
    { name: 'a CONNECT with the longest keep-alive', connect: connect({ keepAlive: 65_535 }) },
    { name: 'a CONNECT with another protocol name', connect: connect({ protocol: 'HTTP' }) },
    { name: 'a CONNECT with protocol version 6', connect: connect({ level: 6 }) },
    { name: 'a CONNECT with protocol version 0', connect: connect({ level: 0 }) },
    { name: 'a CONNECT with the reserved flag', connect: connect({ flags: 0xc3 }) },
    { name: 'a CONNECT with reserved bits in its first byte', connect: connect({ first: 0x12 }) },
    { name: 'a CONNECT with a will QoS and no will', connect: connect({ flags: 0xca }) },
    { name: 'a CONNECT with a will retain flag and no will', connect: connect({ flags: 0xe2 }) },
    { name: 'a CONNECT with a will at QoS 3', connect: connect({ flags: 0xde, will }) },
    { name: 'a CONNECT whose client id is not UTF-8', connect: connect({ clientId: Buffer.from('c328', 'hex') }) },
    { name: 'a CONNECT whose client id contains U+0000', connect: connect({ clientId: 'a\u0000b' }) },
    { name: 'a truncated CONNECT', connect: packet(0x10, connect({}).subarray(2, 14)) },
    { name: 'a PINGREQ before a CONNECT', connect: PINGREQ },
    { name: 'a PUBLISH before a CONNECT', connect: publish(version, 'report/badge') },
    { name: 'a reserved packet type before a CONNECT', connect: packet(0x00) },
    { name: 'a CONNECT with extra bytes at its end', connect: connect({ end: '00' }) },
    { name: 'a CONNECT with a retained will', connect: connect({ flags: RETAINED_WILL, will }) },
    {
      name: 'a CONNECT with a will',
      connect: connect({ flags: WILL, will }),
      differs: {
        ours: [version === 5 ? 'connack 0x87' : 'connack 0x05', 'closed'],
        theirs: ['connack 0x00', 'open'],
        why: 'Carillon does not support wills (docs/decisions/0024)',
      },
    },
    {
      name: 'a CONNECT without a client id',
      connect: connect({ clientId: '' }),
      differs: {
        ours: [version === 5 ? 'connack 0x85' : 'connack 0x02', 'closed'],
        theirs: ['connack 0x00', 'open'],
        why: 'the client id must be the device_guid and cannot be generated',
      },
    },
    {
      name: 'a CONNECT with a wrong password',
      connect: connectBytes(version, { ...credentials, password: 'wrong' }),
      differs: {
        ours: [version === 5 ? 'connack 0x86' : 'connack 0x04', 'closed'],
        theirs: ['connack 0x00', 'open'],
        why: 'this Mosquitto accepts any client',
      },
    },
    {
      name: 'a CONNECT of MQTT 3.1',
      connect: connectBytes(4, credentials, { protocol: 'MQIsdp', level: 3 }),
      differs: {
        ours: ['connack 0x01', 'closed'],
        theirs: ['connack 0x00', 'open'],
        why: 'Carillon supports only 3.1.1 and 5',
      },
    },
    ...(version === 5 ? connectRows5(credentials) : connectRows4(credentials)),
  ];
}

function connectRows4(credentials: Credentials): DifferentialRow[] {
  return [
    { name: 'a password without a user name', connect: connectBytes(4, credentials, { flags: 0x42 }) },
    {
      name: 'an empty client id that resumes a session',
      connect: connectBytes(4, credentials, { clientId: '', flags: 0xc0 }),
    },
  ];
}

/** Cases that exist only in MQTT 5. */
function connectRows5(credentials: Credentials): DifferentialRow[] {
  const connect = (properties: string) => connectBytes(5, credentials, { properties });
  return [
    { name: 'a receive maximum of 0', connect: connect('210000') },
    { name: 'a maximum packet size of 0', connect: connect('2700000000') },
    { name: 'a duplicate receive maximum', connect: connect('210014210014') },
    { name: 'an unknown property', connect: connect('7f00') },
    { name: 'a property of another packet', connect: connect('230001') },
    { name: 'a truncated property', connect: connect('2100') },
    {
      name: 'a valid receive maximum, session expiry and user property',
      connect: connect('210014110000003c26000161000162'),
    },
    {
      name: 'authentication data without a method',
      connect: connect('16000161'),
      differs: {
        ours: ['connack 0x82', 'closed'],
        theirs: ['connack 0x00', 'open'],
        why: 'Mosquitto does not check this protocol error (3.1.2.11.10)',
      },
    },
    {
      name: 'an unknown authentication method',
      connect: connect('1500055343524d41'),
    },
    { name: 'a Request Problem Information of 2', connect: connect('1702') },
    { name: 'a Request Response Information of 1', connect: connect('1901') },
  ];
}
