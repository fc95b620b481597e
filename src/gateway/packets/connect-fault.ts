import type { ProtocolVersion } from '../codec.ts';
import { Wire } from '../packet-cursor.ts';
import { checkProperties } from '../properties.ts';
import { reason } from '../sessions/session.ts';

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

/** What is wrong with a CONNECT, in the version it speaks. No version: it is no CONNECT of MQTT. */
export function findConnectFault(bytes: Buffer): { version?: ProtocolVersion; fault?: ConnectFault } {
  if (bytes[0] !== CONNECT) return {};
  const { protocol, level, wire: peeked } = begin(bytes, 4);
  if (peeked.fault !== undefined || (protocol !== 'MQTT' && protocol !== 'MQIsdp')) return {};
  // An older or newer one is told so in the words of 3.1.1 [MQTT-3.1.2-2]: its own we do not know.
  if (protocol !== 'MQTT' || (level !== 4 && level !== 5)) return { version: 4, fault: 'wrong-version' };
  const { wire } = begin(bytes, level);
  checkConnect(wire, level);
  if (wire.fault === undefined) return { version: level };
  return { version: level, fault: wire.fault === reason.malformed ? 'malformed' : 'protocol-error' };
}

function begin(bytes: Buffer, version: ProtocolVersion): { protocol: string; level: number; wire: Wire } {
  const wire = new Wire(bytes, 1);
  wire.skipLength(version);
  return { protocol: wire.text().toString(), level: wire.byte(), wire };
}

function checkConnect(wire: Wire, version: ProtocolVersion): void {
  const flags = wire.byte();
  if (areWrong(flags, version)) wire.fail(reason.malformed);
  wire.uint16(); // keep-alive
  if (version === 5) {
    const seen = checkProperties(wire, 'connect');
    if (seen.has(AUTHENTICATION_DATA) && !seen.has(AUTHENTICATION_METHOD)) wire.fail(reason.protocolError);
  }
  wire.text(); // client id
  if ((flags & WILL) !== 0) {
    if (version === 5) checkProperties(wire, 'will');
    if (wire.topicName().length === 0) wire.fail(reason.malformed);
    wire.binary(); // what it says
  }
  if ((flags & USER_NAME) !== 0) wire.text();
  if ((flags & PASSWORD) !== 0) wire.binary();
  wire.mustEnd();
}

function areWrong(flags: number, version: ProtocolVersion): boolean {
  if ((flags & RESERVED) !== 0) return true; // [MQTT-3.1.2-3]
  if ((flags & WILL_QOS) === WILL_QOS) return true; // [MQTT-3.1.2-12]
  if ((flags & WILL) === 0 && (flags & (WILL_QOS | WILL_RETAIN)) !== 0) return true; // [MQTT-3.1.2-11]
  return version === 4 && (flags & PASSWORD) !== 0 && (flags & USER_NAME) === 0; // [MQTT-3.1.2-22], lifted by 5
}
