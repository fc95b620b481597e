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
/** Cases in which the standard requires the server to close the connection, and Mosquitto continues. */
const strict = (
  version: Version,
  code: string,
  clause: string,
  theirs: readonly string[] = ['open'],
): Pick<DifferentialRow, 'differs'> => ({
  differs: {
    ours: version === 5 ? [`disconnect ${code}`, 'closed'] : ['closed'],
    theirs,
    why: `${clause}; Mosquitto lets it pass`,
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
      ...named(version, '0x82', '0x81', 'the standard calls it a protocol error [MQTT-3.8.3-2]'),
    },
    { name: 'SUBSCRIBE whose filter is cut off', bytes: packet(0x82, uint16(7), none, '0009707573') },
    { name: 'SUBSCRIBE without options', bytes: packet(0x82, uint16(7), none, text('push')) },
    { name: 'UNSUBSCRIBE with the wrong flags', bytes: packet(0xa0, uint16(8), none, text('push')) },
    {
      name: 'UNSUBSCRIBE without a filter',
      bytes: packet(0xa2, uint16(8), none),
      ...named(version, '0x82', '0x81', 'the standard calls it a protocol error [MQTT-3.10.3-2]'),
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
        why: 'the PUBACK is the receipt, so notifications come at QoS 1 whatever was asked for',
      },
    },
    {
      name: 'SUBSCRIBE to another topic',
      bytes: subscribe(version, 'news', 1),
      differs: {
        ours: [`suback 7 ${refused}`, 'open'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'a device has one topic',
      },
    },
    {
      name: 'SUBSCRIBE to everything',
      bytes: subscribe(version, '#', 1),
      differs: { ours: ended('0xa2'), theirs: ['suback 7 0x01', 'publish', 'open'], why: 'there are no wildcards' },
    },
    {
      name: 'SUBSCRIBE to one level of anything',
      bytes: subscribe(version, '+/x', 1),
      differs: { ours: ended('0xa2'), theirs: ['suback 7 0x01', 'open'], why: 'there are no wildcards' },
    },
    {
      name: 'SUBSCRIBE to $SYS',
      bytes: subscribe(version, '$SYS/broker/uptime', 1),
      differs: {
        ours: [`suback 7 ${refused}`, 'open'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'a device has one topic',
      },
    },
    {
      name: 'SUBSCRIBE to a shared subscription',
      bytes: subscribe(version, '$share/group/push', 1),
      differs: {
        ours: ended('0x9e'),
        theirs: ['suback 7 0x01', 'open'],
        why: 'there are no shared subscriptions; in 3.1.1 that is a topic like any other, and not granted',
      },
    },
    { name: 'SUBSCRIBE to a#', bytes: subscribe(version, 'a#', 1) },
    { name: 'SUBSCRIBE to a/#/b', bytes: subscribe(version, 'a/#/b', 1) },
    { name: 'SUBSCRIBE to a+', bytes: subscribe(version, 'a+', 1) },
    { name: 'SUBSCRIBE to nothing', bytes: subscribe(version, '', 1) },
    {
      name: 'SUBSCRIBE with packet id 0',
      bytes: subscribe(version, 'push', 1, 0),
      ...named(version, '0x82', '0x81', 'it can be read and is not allowed; of a PUBLISH Mosquitto says the same'),
    },
    {
      name: 'SUBSCRIBE at QoS 3',
      bytes: subscribe(version, 'push', 3),
      ...named(version, '0x82', '0x81', 'the standard calls it a protocol error (3.8.3.1)'),
    },
    { name: 'SUBSCRIBE with reserved options', bytes: subscribe(version, 'push', 0xc1) },
    { name: 'SUBSCRIBE to U+0000', bytes: subscribe(version, 'a\u0000', 1) },
    { name: 'SUBSCRIBE to what is no UTF-8', bytes: subscribe(version, NOT_UTF8, 1) },
    { name: 'UNSUBSCRIBE from what nobody subscribed to', bytes: unsubscribe(version, 'news') },
    {
      name: 'UNSUBSCRIBE with packet id 0',
      bytes: unsubscribe(version, 'push', 0),
      ...named(version, '0x82', '0x81', 'it can be read and is not allowed; of a PUBLISH Mosquitto says the same'),
    },
    { name: 'UNSUBSCRIBE from a#', bytes: unsubscribe(version, 'a#') },
    { name: 'UNSUBSCRIBE from nothing', bytes: unsubscribe(version, '') },
    { name: 'UNSUBSCRIBE from what is no UTF-8', bytes: unsubscribe(version, NOT_UTF8) },
    {
      name: 'UNSUBSCRIBE from push',
      bytes: join(subscribe(version, 'push', 1), unsubscribe(version, 'push')),
      ...(version === 5 && {
        differs: {
          ours: ['suback 7 0x01', 'unsuback 8 0x87', 'open'],
          theirs: ['suback 7 0x01', 'unsuback 8 0x00', 'open'],
          why: 'notifications come unasked, and go on coming',
        },
      }),
    },
  ];
}

function publishRows(version: Version): DifferentialRow[] {
  const differs = (ours: string, theirs: string, why: string) =>
    version === 5 ? { differs: { ours: [ours, 'open'], theirs: [theirs, 'open'], why } } : {};
  return [
    { name: 'PUBLISH at QoS 0 to a topic of nobody', bytes: publish(version, 'news', { first: 0x30 }) },
    { name: 'PUBLISH of a report at QoS 0', bytes: publish(version, 'report/badge', { first: 0x30 }) },
    {
      name: 'PUBLISH of a report at QoS 1',
      bytes: publish(version, 'report/badge'),
      ...differs('puback 9 0x00', 'puback 9 0x10', 'a report has a reader; at Mosquitto nobody subscribed'),
    },
    {
      name: 'PUBLISH of two reports at QoS 1',
      bytes: join(publish(version, 'report/badge', { id: 1 }), publish(version, 'report/badge', { id: 2 })),
      ...(version === 5 && {
        differs: {
          ours: ['puback 1 0x00', 'puback 2 0x00', 'open'],
          theirs: ['puback 1 0x10', 'puback 2 0x10', 'open'],
          why: 'a report has a reader; at Mosquitto nobody subscribed',
        },
      }),
    },
    {
      name: 'PUBLISH of a report again, marked as such, when it was answered',
      bytes: publish(version, 'report/badge', { first: 0x3a }),
      ...differs('puback 9 0x00', 'puback 9 0x10', 'a report has a reader; at Mosquitto nobody subscribed'),
    },
    {
      name: 'PUBLISH of a report that is no JSON',
      bytes: publish(version, 'report/badge', { payload: 'ff' }),
      ...differs('puback 9 0x99', 'puback 9 0x10', 'a report is what the schema says; 3.1.1 cannot be told'),
    },
    {
      name: 'PUBLISH at QoS 1 to another topic',
      bytes: publish(version, 'news'),
      ...differs('puback 9 0x87', 'puback 9 0x10', 'devices publish reports only; 3.1.1 cannot be told'),
    },
    { name: 'PUBLISH at QoS 2', bytes: publish(version, 'news', { first: 0x34 }) },
    { name: 'PUBLISH at QoS 3', bytes: publish(version, 'news', { first: 0x36 }) },
    {
      name: 'PUBLISH to a wildcard',
      bytes: publish(version, 'news/+'),
      ...named(version, '0x81', '0x82', 'a name with a wildcard is no name [MQTT-3.3.2-2]'),
    },
    {
      name: 'PUBLISH to everything',
      bytes: publish(version, '#'),
      ...named(version, '0x81', '0x82', 'a name with a wildcard is no name [MQTT-3.3.2-2]'),
    },
    { name: 'PUBLISH to no topic', bytes: publish(version, '') },
    { name: 'PUBLISH to what is no UTF-8', bytes: publish(version, NOT_UTF8) },
    { name: 'PUBLISH to U+0000', bytes: publish(version, 'a\u0000b') },
    { name: 'PUBLISH with packet id 0', bytes: publish(version, 'report/badge', { id: 0 }) },
    {
      name: 'PUBLISH at QoS 0, sent again',
      bytes: publish(version, 'news', { first: 0x38 }),
      ...strict(version, '0x81', 'QoS 0 is never sent again [MQTT-3.3.1-2]'),
    },
    { name: 'PUBLISH whose topic is cut off', bytes: packet(0x30, '0009707573') },
    { name: 'PUBLISH of nothing at all', bytes: packet(0x30) },
    {
      name: 'PUBLISH to be retained',
      bytes: publish(version, 'report/badge', { first: 0x33 }),
      ...(version === 4 && {
        differs: {
          ours: ['puback 9 0x00', 'open'],
          theirs: ['closed'],
          why: '3.1.1 cannot say that nothing is retained, and the report is good',
        },
      }),
    },
  ];
}

/** Returns acknowledgements of packets that were not sent, and packets that only servers send. */
function answerRows(version: Version): DifferentialRow[] {
  return [
    { name: 'PUBACK for what was not sent', bytes: packet(0x40, uint16(99)) },
    { name: 'PUBACK with packet id 0', bytes: packet(0x40, uint16(0)) },
    {
      name: 'PUBACK with the wrong flags',
      bytes: packet(0x42, uint16(1)),
      ...strict(version, '0x81', 'reserved flags [MQTT-2.1.3-1]'),
    },
    { name: 'PUBACK that is too short', bytes: packet(0x40, '01') },
    {
      name: 'PUBREL for what was not sent',
      bytes: packet(0x62, uint16(99)),
      ...(version === 5 && {
        differs: {
          ours: ['pubcomp 99 0x92', 'open'],
          theirs: ['pubcomp 99 0x00', 'open'],
          why: 'nobody here knows of it, and MQTT 5 has a word for that',
        },
      }),
    },
    { name: 'PUBREL with the wrong flags', bytes: packet(0x60, uint16(99)) },
    {
      name: 'PUBREC for what was not sent',
      bytes: packet(0x50, uint16(99)),
      ...strict(version, '0x82', 'nothing is sent at QoS 2', ['pubrel 99 0x00', 'open']),
    },
    {
      name: 'PUBCOMP for what was not sent',
      bytes: packet(0x70, uint16(99)),
      ...strict(version, '0x82', 'nothing is sent at QoS 2'),
    },
    { name: `CONNACK from a client of ${version}`, bytes: packet(0x20, '0000', properties(version)) },
    {
      name: 'SUBACK from a client',
      bytes: packet(0x90, uint16(1), properties(version), '01'),
      ...strict(version, '0x82', 'it is a server that sends it'),
    },
    {
      name: 'UNSUBACK from a client',
      bytes: packet(0xb0, uint16(1), properties(version), version === 5 ? '00' : ''),
      ...strict(version, '0x82', 'it is a server that sends it'),
    },
    { name: 'PINGRESP from a client', bytes: packet(0xd0), ...strict(version, '0x82', 'it is a server that sends it') },
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
      ...strict(version, '0x81', 'it has none (3.12)', ['pingresp', 'open']),
    },
    { name: 'a second CONNECT', bytes: connectBytes(version, nobody) },
    { name: 'DISCONNECT', bytes: packet(0xe0) },
    { name: 'DISCONNECT with the wrong flags', bytes: packet(0xe1) },
    {
      name: 'a type that is reserved',
      bytes: packet(0x00),
      ...named(version, '0x81', '0x82', 'a type that is forbidden cannot be read'),
    },
    { name: 'AUTH out of the blue', bytes: packet(0xf0, ...(version === 5 ? ['00', '00'] : [])) },
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
      ...named(5, '0x82', '0x81', 'the standard calls it a protocol error (3.8.3.1)'),
    },
    { name: 'SUBSCRIBE with all other options', bytes: subscribe(5, 'push', 0x2d) },
    {
      name: 'SUBSCRIBE with a subscription identifier',
      bytes: packet(0x82, uint16(7), '020b01', text('push'), 1),
      differs: {
        ours: ['disconnect 0xa1', 'closed'],
        theirs: ['suback 7 0x01', 'open'],
        why: 'there are no subscription identifiers, as the CONNACK says',
      },
    },
    {
      name: 'SUBSCRIBE with subscription identifier 0',
      bytes: packet(0x82, uint16(7), '020b00', text('push'), 1),
      ...named(5, '0x82', '0x81', 'the standard calls it a protocol error (3.8.2.1.2)'),
    },
    {
      name: 'SUBSCRIBE, shared and not local',
      bytes: subscribe(5, '$share/group/push', 0x05),
      ...strict(5, '0x82', '[MQTT-3.8.3-4]', ['suback 7 0x01', 'open']),
    },
    {
      name: 'SUBSCRIBE with a property of another packet',
      bytes: packet(0x82, uint16(7), '03210001', text('push'), 1),
    },
    { name: 'SUBSCRIBE whose properties are cut off', bytes: packet(0x82, uint16(7), '7f') },
    { name: 'PUBLISH with a topic alias', bytes: publish(5, 'report/badge', { properties: '230001' }) },
    {
      name: 'PUBLISH with topic alias 0',
      bytes: publish(5, 'report/badge', { properties: '230000' }),
      ...named(5, '0x94', '0x81', 'a value that is not allowed has its own code [MQTT-3.3.2-8]'),
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
      ...strict(5, '0x82', 'there are 0 and 1 (3.3.2.3.2)', ['puback 9 0x10', 'open']),
    },
    { name: 'PUBLISH with a content type twice', bytes: publish(5, 'news', { properties: '0300016103000161' }) },
    {
      name: 'PUBLISH whose response topic is a wildcard',
      bytes: publish(5, 'news', { properties: '08000123' }),
      ...strict(5, '0x81', '[MQTT-3.3.2-14]', ['puback 9 0x10', 'open']),
    },
    {
      name: 'PUBACK with a reason there is not',
      bytes: packet(0x40, uint16(99), 'ff'),
      ...strict(5, '0x82', '[MQTT-3.4.2-1]'),
    },
    { name: 'PUBACK with a reason and properties', bytes: packet(0x40, uint16(99), '00', '052600000000') },
    { name: 'DISCONNECT with its will', bytes: packet(0xe0, '04') },
    { name: 'DISCONNECT with a reason and properties', bytes: packet(0xe0, '00', '00') },
    { name: 'DISCONNECT with the reason of a server', bytes: packet(0xe0, '8b', '00') },
    { name: 'DISCONNECT with a longer life than was asked for', bytes: packet(0xe0, '00', '051100000001') },
    { name: 'AUTH that is empty', bytes: packet(0xf0) },
  ];
}
