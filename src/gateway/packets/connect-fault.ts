import type { ProtocolVersion } from '../codec.ts';
import { PacketCursor } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../reason-codes.ts';

const CONNECT = 0x10;
const RESERVED = 0x01;
const WILL = 0x04;
const WILL_QOS = 0x18;
const WILL_RETAIN = 0x20;
const PASSWORD = 0x40;
const USER_NAME = 0x80;

const AUTHENTICATION_METHOD = 0x15;
const AUTHENTICATION_DATA = 0x16;

type ConnectFault = 'wrong-version' | 'malformed' | 'protocol-error';

/**
 * Returns the protocol version of a CONNECT and its first fault, if any. Returns no version if the packet is not an
 * MQTT CONNECT.
 */
export function findConnectFault(bytes: Buffer): { version?: ProtocolVersion; fault?: ConnectFault } {
  if (bytes[0] !== CONNECT) return {};
  const { protocol, level, cursor: headerCursor } = readHeader(bytes, 4);
  if (headerCursor.fault !== undefined || (protocol !== 'MQTT' && protocol !== 'MQIsdp')) return {};
  // Clients of other versions get a 3.1.1 response [MQTT-3.1.2-2], because the response format of their version is
  // unknown.
  if (protocol !== 'MQTT' || (level !== 4 && level !== 5)) return { version: 4, fault: 'wrong-version' };
  const { cursor } = readHeader(bytes, level);
  checkConnect(cursor, level);
  if (cursor.fault === undefined) return { version: level };
  return { version: level, fault: cursor.fault === reason.malformed ? 'malformed' : 'protocol-error' };
}

function readHeader(
  bytes: Buffer,
  version: ProtocolVersion,
): { protocol: string; level: number; cursor: PacketCursor } {
  const cursor = new PacketCursor(bytes, 1);
  cursor.skipRemainingLength(version);
  return { protocol: cursor.utf8String().toString(), level: cursor.byte(), cursor };
}

function checkConnect(cursor: PacketCursor, version: ProtocolVersion): void {
  const flags = cursor.byte();
  if (areFlagsInvalid(flags, version)) cursor.fail(reason.malformed);
  cursor.uint16(); // keep-alive
  if (version === 5) {
    const propertyIds = checkProperties(cursor, 'connect');
    if (propertyIds.has(AUTHENTICATION_DATA) && !propertyIds.has(AUTHENTICATION_METHOD))
      cursor.fail(reason.protocolError);
  }
  cursor.utf8String(); // client id
  if ((flags & WILL) !== 0) {
    if (version === 5) checkProperties(cursor, 'will');
    if (cursor.topicName().length === 0) cursor.fail(reason.malformed);
    cursor.binary(); // will payload
  }
  if ((flags & USER_NAME) !== 0) cursor.utf8String();
  if ((flags & PASSWORD) !== 0) cursor.binary();
  cursor.mustEnd();
}

function areFlagsInvalid(flags: number, version: ProtocolVersion): boolean {
  if ((flags & RESERVED) !== 0) return true; // [MQTT-3.1.2-3]
  if ((flags & WILL_QOS) === WILL_QOS) return true; // [MQTT-3.1.2-12]
  if ((flags & WILL) === 0 && (flags & (WILL_QOS | WILL_RETAIN)) !== 0) return true; // [MQTT-3.1.2-11]
  return version === 4 && (flags & PASSWORD) !== 0 && (flags & USER_NAME) === 0; // [MQTT-3.1.2-22], allowed in 5
}
