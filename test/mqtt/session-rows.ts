import type { DifferentialRow } from './differential-row.ts';
import {
  connectBytes,
  join,
  packet,
  properties,
  publish,
  subscribe,
  text,
  uint16,
  unsubscribe,
  type Version,
} from './packet-bytes.ts';

const NOT_UTF8 = Buffer.from('c328', 'hex');
/** Cases in which the standard requires the server to close the connection, but Mosquitto keeps it open. */
const strict = (
  version: Version,
  code: string,
  clause: string,
  theirs: readonly string[] = ['open'],
): Pick<DifferentialRow, 'differs'> => ({
  differs: {
    ours: version === 5 ? [`disconnect ${code}`, 'closed'] : ['closed'],
    theirs,
    why: `Mosquitto accepts the packet: ${clause}`,
  },
});

/** Cases in which both servers close the connection, with different MQTT 5 reason codes. */
const named = (version: Version, ours: string, theirs: string, why: string): Partial<DifferentialRow> =>
  version === 5
    ? { differs: { ours: [`disconnect ${ours}`, 'closed'], theirs: [`disconnect ${theirs}`, 'closed'], why } }
    : {};

const nobody = { clientId: 'again', userName: 'x', password: 'y' };

/** Returns packets that a client can send in a session, valid and invalid. */
export function sessionRows(version: Version): DifferentialRow[] {
  const none = properties(version);
  return [...subscribeRows(version), ...publishRows(version), ...answerRows(version), ...otherRows(version)].concat([
    { name: 'SUBSCRIBE with the wrong flags', bytes: packet(0x80, uint16(7), none, text('push'), 1) },
    { name: 'SUBSCRIBE with the flags of a PUBLISH', bytes: packet(0x8a, uint16(7), none, text('push'), 1) },
    {
      name: 'SUBSCRIBE without a filter',
      bytes: packet(0x82, uint16(7), none),
      ...named(version, '0x82', '0x81', 'the standard defines this as a protocol error [MQTT-3.8.3-2]'),
    },
    { name: 'SUBSCRIBE with a truncated filter', bytes: packet(0x82, uint16(7), none, '0009707573') },
    { name: 'SUBSCRIBE without options', bytes: packet(0x82, uint16(7), none, text('push')) },
    { name: 'UNSUBSCRIBE with the wrong flags', bytes: packet(0xa0, uint16(8), none, text('push')) },
    {
      name: 'UNSUBSCRIBE without a filter',
      bytes: packet(0xa2, uint16(8), none),
      ...named(version, '0x82', '0x81', 'the standard defines this as a protocol error [MQTT-3.10.3-2]'),
    },
  ]);
}

function subscribeRows(version: Version): DifferentialRow[] {
  const refused = version === 5 ? '0x87' : '0x80';
  const ended = (code: string) => (version === 5 ? [`disconnect ${code}`, 'closed'] : ['suback 7 0x80', 'open']);
  return [
    { name: 'SUBSCRIBE to push at QoS 1', bytes: subscribe(version, 'push', 1) },
    { name: 'SUBSCRIBE to push at QoS 2', bytes: subscribe(version, 'push', 2) },
    { name: 'SUBSCRIBE to push twice', bytes: join(subscribe(version, 'push', 1), subscribe(version, 'push', 1, 8)) },
    {
      name: 'SUBSCRIBE to push at QoS 0',
      bytes: subscribe(version, 'push', 0),
      differs: {
        ours: ['suback 7 0x01', 'open'],
        theirs: ['suback 7 0x00', 'open'],
        why: 'the PUBACK is the receipt, so notifications are always sent at QoS 1',
      },
    },
    { name: 'SUBSCRIBE to recall at QoS 0', bytes: subscribe(version, 'recall', 0) },
    {
      name: 'SUBSCRIBE to recall at QoS 1',
      bytes: subscribe(version, 'recall', 1),
      differs: {
        ours: ['suback 7 0x00', 'open'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'recalls are not acknowledged, so they are always sent at QoS 0',
      },
    },
    { name: 'UNSUBSCRIBE from recall', bytes: join(subscribe(version, 'recall', 0), unsubscribe(version, 'recall')) },
    {
      name: 'SUBSCRIBE to another topic',
      bytes: subscribe(version, 'news', 1),
      differs: {
        ours: [`suback 7 ${refused}`, 'open'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'devices can subscribe only to push and recall',
      },
    },
    {
      name: 'SUBSCRIBE to #',
      bytes: subscribe(version, '#', 1),
      differs: {
        ours: ended('0xa2'),
        theirs: ['suback 7 0x01', 'publish', 'open'],
        why: 'wildcards are not supported',
      },
    },
    {
      name: 'SUBSCRIBE to +/x',
      bytes: subscribe(version, '+/x', 1),
      differs: { ours: ended('0xa2'), theirs: ['suback 7 0x01', 'open'], why: 'wildcards are not supported' },
    },
    {
      name: 'SUBSCRIBE to $SYS',
      bytes: subscribe(version, '$SYS/broker/uptime', 1),
      differs: {
        ours: [`suback 7 ${refused}`, 'open'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'devices can subscribe only to push and recall',
      },
    },
    {
      name: 'SUBSCRIBE to a shared subscription',
      bytes: subscribe(version, '$share/group/push', 1),
      differs: {
        ours: ended('0x9e'),
        theirs: ['suback 7 0x01', 'open'],
        why: 'shared subscriptions are not supported; in 3.1.1 the filter is an ordinary topic that is not granted',
      },
    },
    { name: 'SUBSCRIBE to a#', bytes: subscribe(version, 'a#', 1) },
    { name: 'SUBSCRIBE to a/#/b', bytes: subscribe(version, 'a/#/b', 1) },
    { name: 'SUBSCRIBE to a+', bytes: subscribe(version, 'a+', 1) },
    { name: 'SUBSCRIBE to an empty filter', bytes: subscribe(version, '', 1) },
    {
      name: 'SUBSCRIBE with packet id 0',
      bytes: subscribe(version, 'push', 1, 0),
      ...named(version, '0x82', '0x81', 'a packet id of zero is a protocol error, as Mosquitto reports for a PUBLISH'),
    },
    {
      name: 'SUBSCRIBE at QoS 3',
      bytes: subscribe(version, 'push', 3),
      ...named(version, '0x82', '0x81', 'the standard defines this as a protocol error (3.8.3.1)'),
    },
    { name: 'SUBSCRIBE with reserved options', bytes: subscribe(version, 'push', 0xc1) },
    { name: 'SUBSCRIBE to a filter with U+0000', bytes: subscribe(version, 'a\u0000', 1) },
    { name: 'SUBSCRIBE to a filter that is not UTF-8', bytes: subscribe(version, NOT_UTF8, 1) },
    { name: 'UNSUBSCRIBE from a topic without a subscription', bytes: unsubscribe(version, 'news') },
    {
      name: 'UNSUBSCRIBE with packet id 0',
      bytes: unsubscribe(version, 'push', 0),
      ...named(version, '0x82', '0x81', 'a packet id of zero is a protocol error, as Mosquitto reports for a PUBLISH'),
    },
    { name: 'UNSUBSCRIBE from a#', bytes: unsubscribe(version, 'a#') },
    { name: 'UNSUBSCRIBE from an empty filter', bytes: unsubscribe(version, '') },
    { name: 'UNSUBSCRIBE from a filter that is not UTF-8', bytes: unsubscribe(version, NOT_UTF8) },
    {
      name: 'UNSUBSCRIBE from push',
      bytes: join(subscribe(version, 'push', 1), unsubscribe(version, 'push')),
      ...(version === 5 && {
        differs: {
          ours: ['suback 7 0x01', 'unsuback 8 0x87', 'open'],
          theirs: ['suback 7 0x01', 'unsuback 8 0x00', 'open'],
          why: 'notifications are sent without a subscription',
        },
      }),
    },
  ];
}

function publishRows(version: Version): DifferentialRow[] {
  const differs = (ours: string, theirs: string, why: string) =>
    version === 5 ? { differs: { ours: [ours, 'open'], theirs: [theirs, 'open'], why } } : {};
  return [
    { name: 'PUBLISH at QoS 0 to a topic without subscribers', bytes: publish(version, 'news', { first: 0x30 }) },
    { name: 'PUBLISH of a report at QoS 0', bytes: publish(version, 'report/badge', { first: 0x30 }) },
    {
      name: 'PUBLISH of a report at QoS 1',
      bytes: publish(version, 'report/badge'),
      ...differs('puback 9 0x00', 'puback 9 0x10', 'Carillon records reports, and Mosquitto has no subscriber'),
    },
    {
      name: 'PUBLISH of two reports at QoS 1',
      bytes: join(publish(version, 'report/badge', { id: 1 }), publish(version, 'report/badge', { id: 2 })),
      ...(version === 5 && {
        differs: {
          ours: ['puback 1 0x00', 'puback 2 0x00', 'open'],
          theirs: ['puback 1 0x10', 'puback 2 0x10', 'open'],
          why: 'Carillon records reports, and Mosquitto has no subscriber',
        },
      }),
    },
    {
      name: 'PUBLISH of a report with the DUP flag',
      bytes: publish(version, 'report/badge', { first: 0x3a }),
      ...differs('puback 9 0x00', 'puback 9 0x10', 'Carillon records reports, and Mosquitto has no subscriber'),
    },
    {
      name: 'PUBLISH of a report that is not JSON',
      bytes: publish(version, 'report/badge', { payload: 'ff' }),
      ...differs('puback 9 0x99', 'puback 9 0x10', 'a report must match the schema; 3.1.1 has no code for this error'),
    },
    {
      name: 'PUBLISH at QoS 1 to another topic',
      bytes: publish(version, 'news'),
      ...differs(
        'puback 9 0x87',
        'puback 9 0x10',
        'devices can publish only reports; 3.1.1 has no code for this error',
      ),
    },
    { name: 'PUBLISH at QoS 2', bytes: publish(version, 'news', { first: 0x34 }) },
    { name: 'PUBLISH at QoS 3', bytes: publish(version, 'news', { first: 0x36 }) },
    {
      name: 'PUBLISH to news/+',
      bytes: publish(version, 'news/+'),
      ...named(version, '0x81', '0x82', 'a topic name with a wildcard is malformed [MQTT-3.3.2-2]'),
    },
    {
      name: 'PUBLISH to #',
      bytes: publish(version, '#'),
      ...named(version, '0x81', '0x82', 'a topic name with a wildcard is malformed [MQTT-3.3.2-2]'),
    },
    { name: 'PUBLISH to an empty topic', bytes: publish(version, '') },
    { name: 'PUBLISH to a topic that is not UTF-8', bytes: publish(version, NOT_UTF8) },
    { name: 'PUBLISH to a topic with U+0000', bytes: publish(version, 'a\u0000b') },
    { name: 'PUBLISH with packet id 0', bytes: publish(version, 'report/badge', { id: 0 }) },
    {
      name: 'PUBLISH at QoS 0 with the DUP flag',
      bytes: publish(version, 'news', { first: 0x38 }),
      ...strict(version, '0x81', 'DUP must be 0 at QoS 0 [MQTT-3.3.1-2]'),
    },
    { name: 'PUBLISH with a truncated topic', bytes: packet(0x30, '0009707573') },
    { name: 'PUBLISH without a body', bytes: packet(0x30) },
    {
      name: 'PUBLISH with the retain flag',
      bytes: publish(version, 'report/badge', { first: 0x33 }),
      ...(version === 4 && {
        differs: {
          ours: ['puback 9 0x00', 'open'],
          theirs: ['closed'],
          why: '3.1.1 cannot reject the retain flag, and the report is valid',
        },
      }),
    },
  ];
}

/** Returns acknowledgements for packets that were not sent, and packets that only servers send. */
function answerRows(version: Version): DifferentialRow[] {
  return [
    { name: 'PUBACK for a packet that was not sent', bytes: packet(0x40, uint16(99)) },
    { name: 'PUBACK with packet id 0', bytes: packet(0x40, uint16(0)) },
    {
      name: 'PUBACK with the wrong flags',
      bytes: packet(0x42, uint16(1)),
      ...strict(version, '0x81', 'reserved flags [MQTT-2.1.3-1]'),
    },
    { name: 'PUBACK that is too short', bytes: packet(0x40, '01') },
    {
      name: 'PUBREL for a packet that was not sent',
      bytes: packet(0x62, uint16(99)),
      ...(version === 5 && {
        differs: {
          ours: ['pubcomp 99 0x92', 'open'],
          theirs: ['pubcomp 99 0x00', 'open'],
          why: 'the packet id is unknown, and MQTT 5 has a reason code for this',
        },
      }),
    },
    { name: 'PUBREL with the wrong flags', bytes: packet(0x60, uint16(99)) },
    {
      name: 'PUBREC for a packet that was not sent',
      bytes: packet(0x50, uint16(99)),
      ...strict(version, '0x82', 'nothing is sent at QoS 2', ['pubrel 99 0x00', 'open']),
    },
    {
      name: 'PUBCOMP for a packet that was not sent',
      bytes: packet(0x70, uint16(99)),
      ...strict(version, '0x82', 'nothing is sent at QoS 2'),
    },
    { name: `CONNACK from a client of version ${version}`, bytes: packet(0x20, '0000', properties(version)) },
    {
      name: 'SUBACK from a client',
      bytes: packet(0x90, uint16(1), properties(version), '01'),
      ...strict(version, '0x82', 'only servers send this packet'),
    },
    {
      name: 'UNSUBACK from a client',
      bytes: packet(0xb0, uint16(1), properties(version), version === 5 ? '00' : ''),
      ...strict(version, '0x82', 'only servers send this packet'),
    },
    {
      name: 'PINGRESP from a client',
      bytes: packet(0xd0),
      ...strict(version, '0x82', 'only servers send this packet'),
    },
  ];
}

function otherRows(version: Version): DifferentialRow[] {
  return [
    { name: 'PINGREQ', bytes: packet(0xc0) },
    {
      name: 'PINGREQ with the wrong flags',
      bytes: packet(0xc1),
      ...strict(version, '0x81', 'reserved flags [MQTT-2.1.3-1]', ['pingresp', 'open']),
    },
    {
      name: 'PINGREQ with a body',
      bytes: packet(0xc0, '00'),
      ...strict(version, '0x81', 'PINGREQ has no body (3.12)', ['pingresp', 'open']),
    },
    { name: 'a second CONNECT', bytes: connectBytes(version, nobody) },
    { name: 'DISCONNECT', bytes: packet(0xe0) },
    { name: 'DISCONNECT with the wrong flags', bytes: packet(0xe1) },
    {
      name: 'a reserved packet type',
      bytes: packet(0x00),
      ...named(version, '0x81', '0x82', 'a packet with a reserved type is malformed'),
    },
    { name: 'AUTH without an authentication method', bytes: packet(0xf0, ...(version === 5 ? ['00', '00'] : [])) },
    { name: 'a packet of 256 MB', bytes: join('30ffffff7f') },
    { name: 'a length of five bytes', bytes: join('30ffffffff01') },
    ...(version === 5 ? otherRows5() : [{ name: 'DISCONNECT with a body', bytes: packet(0xe0, '00') }]),
  ];
}

/** Cases that exist only in MQTT 5. */
function otherRows5(): DifferentialRow[] {
  return [
    {
      name: 'SUBSCRIBE with a retain handling of 3',
      bytes: subscribe(5, 'push', 0x31),
      ...named(5, '0x82', '0x81', 'the standard defines this as a protocol error (3.8.3.1)'),
    },
    { name: 'SUBSCRIBE with all other options', bytes: subscribe(5, 'push', 0x2d) },
    {
      name: 'SUBSCRIBE with a subscription identifier',
      bytes: packet(0x82, uint16(7), '020b01', text('push'), 1),
      differs: {
        ours: ['disconnect 0xa1', 'closed'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'subscription identifiers are not supported, as the CONNACK states',
      },
    },
    {
      name: 'SUBSCRIBE with subscription identifier 0',
      bytes: packet(0x82, uint16(7), '020b00', text('push'), 1),
      ...named(5, '0x82', '0x81', 'the standard defines this as a protocol error (3.8.2.1.2)'),
    },
    {
      name: 'SUBSCRIBE to a shared subscription with No Local',
      bytes: subscribe(5, '$share/group/push', 0x05),
      ...strict(5, '0x82', '[MQTT-3.8.3-4]', ['suback 7 0x01', 'open']),
    },
    {
      name: 'SUBSCRIBE with a property of another packet',
      bytes: packet(0x82, uint16(7), '03210001', text('push'), 1),
    },
    { name: 'SUBSCRIBE with truncated properties', bytes: packet(0x82, uint16(7), '7f') },
    { name: 'PUBLISH with a topic alias', bytes: publish(5, 'report/badge', { properties: '230001' }) },
    {
      name: 'PUBLISH with topic alias 0',
      bytes: publish(5, 'report/badge', { properties: '230000' }),
      ...named(5, '0x94', '0x81', 'an invalid topic alias has its own reason code [MQTT-3.3.2-8]'),
    },
    { name: 'PUBLISH with a topic alias and no topic', bytes: publish(5, '', { properties: '230001' }) },
    {
      name: 'PUBLISH with a subscription identifier',
      bytes: publish(5, 'report/badge', { properties: '0b01' }),
      ...strict(5, '0x82', '[MQTT-3.3.4-6]', ['puback 9 0x10', 'open']),
    },
    {
      name: 'PUBLISH with a payload format of 2',
      bytes: publish(5, 'report/badge', { properties: '0102' }),
      ...strict(5, '0x82', 'only 0 and 1 are allowed (3.3.2.3.2)', ['puback 9 0x10', 'open']),
    },
    { name: 'PUBLISH with a duplicate content type', bytes: publish(5, 'news', { properties: '0300016103000161' }) },
    {
      name: 'PUBLISH whose response topic contains a wildcard',
      bytes: publish(5, 'news', { properties: '08000123' }),
      ...strict(5, '0x81', '[MQTT-3.3.2-14]', ['puback 9 0x10', 'open']),
    },
    {
      name: 'PUBACK with an unknown reason code',
      bytes: packet(0x40, uint16(99), 'ff'),
      ...strict(5, '0x82', '[MQTT-3.4.2-1]'),
    },
    { name: 'PUBACK with a reason and properties', bytes: packet(0x40, uint16(99), '00', '052600000000') },
    { name: 'DISCONNECT that requests the will', bytes: packet(0xe0, '04') },
    { name: 'DISCONNECT with a reason and properties', bytes: packet(0xe0, '00', '00') },
    { name: 'DISCONNECT with a reason code reserved for servers', bytes: packet(0xe0, '8b', '00') },
    {
      name: 'DISCONNECT with a session expiry that the CONNECT did not request',
      bytes: packet(0xe0, '00', '051100000001'),
    },
    { name: 'AUTH without a body', bytes: packet(0xf0) },
  ];
}
