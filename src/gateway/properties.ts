import type { PacketCursor } from './packet-cursor.ts';
import { reason } from './reason-codes.ts';

/** The packet types in which a device can send properties, and `will` for the will properties of a CONNECT. */
type PropertyLocation = 'connect' | 'will' | 'publish' | 'puback' | 'subscribe' | 'unsubscribe' | 'disconnect';

interface Property {
  readonly read: (cursor: PacketCursor) => void;
  readonly allowedIn: readonly PropertyLocation[];
}

const flag = (cursor: PacketCursor): void => {
  if (cursor.byte() > 1) cursor.fail(reason.protocolError);
};
const rejectZero = (value: number, cursor: PacketCursor): void => {
  if (value === 0) cursor.fail(reason.protocolError);
};
const uint16 = (cursor: PacketCursor): void => void cursor.uint16();
const uint32 = (cursor: PacketCursor): void => void cursor.uint32();
const utf8String = (cursor: PacketCursor): void => void cursor.utf8String();
const binary = (cursor: PacketCursor): void => void cursor.binary();
const allLocations: readonly PropertyLocation[] = [
  'connect',
  'will',
  'publish',
  'puback',
  'subscribe',
  'unsubscribe',
  'disconnect',
];

const USER_PROPERTY = 0x26;

/** The MQTT 5 properties that a device can send (table 2-4), by identifier. */
const properties: Readonly<Record<number, Property>> = {
  1: { read: flag, allowedIn: ['will', 'publish'] }, // payload format indicator
  2: { read: uint32, allowedIn: ['will', 'publish'] }, // message expiry interval
  3: { read: utf8String, allowedIn: ['will', 'publish'] }, // content type
  8: { read: (cursor) => void cursor.topicName(), allowedIn: ['will', 'publish'] }, // response topic
  9: { read: binary, allowedIn: ['will', 'publish'] }, // correlation data
  // Subscription identifier. In a PUBLISH only the server may send it, which the packet's handler checks.
  11: { read: (cursor) => rejectZero(cursor.variableByteInteger(), cursor), allowedIn: ['publish', 'subscribe'] },
  17: { read: uint32, allowedIn: ['connect', 'disconnect'] }, // session expiry interval
  21: { read: utf8String, allowedIn: ['connect'] }, // authentication method
  22: { read: binary, allowedIn: ['connect'] }, // authentication data
  23: { read: flag, allowedIn: ['connect'] }, // request problem information
  24: { read: uint32, allowedIn: ['will'] }, // will delay interval
  25: { read: flag, allowedIn: ['connect'] }, // request response information
  31: { read: utf8String, allowedIn: ['puback', 'disconnect'] }, // reason string
  33: { read: (cursor) => rejectZero(cursor.uint16(), cursor), allowedIn: ['connect'] }, // receive maximum
  34: { read: uint16, allowedIn: ['connect'] }, // topic alias maximum
  35: { read: uint16, allowedIn: ['publish'] }, // topic alias, checked by the packet's handler
  [USER_PROPERTY]: {
    read: (cursor) => {
      cursor.utf8String();
      cursor.utf8String();
    },
    allowedIn: allLocations,
  },
  39: { read: (cursor) => rejectZero(cursor.uint32(), cursor), allowedIn: ['connect'] }, // maximum packet size
};

/**
 * Checks the properties of a packet. A property that is not allowed in this packet makes it malformed [MQTT5 2.2.2.2]; a
 * duplicate property is a protocol error. Returns the identifiers of the properties, except user properties, which may be repeated.
 */
export function checkProperties(cursor: PacketCursor, location: PropertyLocation): ReadonlySet<number> {
  const seen = new Set<number>();
  cursor.section(cursor.variableByteInteger(), () => {
    while (!cursor.done) {
      const identifier = cursor.variableByteInteger();
      const property = properties[identifier];
      if (!property?.allowedIn.includes(location)) cursor.fail(reason.malformed);
      else if (seen.has(identifier)) cursor.fail(reason.protocolError);
      else property.read(cursor);
      if (identifier !== USER_PROPERTY) seen.add(identifier);
    }
  });
  return seen;
}
