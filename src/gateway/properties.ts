import type { Wire } from './packet-cursor.ts';
import { reason } from './sessions/session.ts';

/** Where a device may put properties. */
type Place = 'connect' | 'will' | 'publish' | 'puback' | 'subscribe' | 'unsubscribe' | 'disconnect';

interface Property {
  readonly read: (wire: Wire) => void;
  readonly places: readonly Place[];
}

const flag = (wire: Wire): void => {
  if (wire.byte() > 1) wire.fail(reason.protocolError);
};
const notZero = (value: number, wire: Wire): void => {
  if (value === 0) wire.fail(reason.protocolError);
};
const uint16 = (wire: Wire): void => void wire.uint16();
const uint32 = (wire: Wire): void => void wire.uint32();
const text = (wire: Wire): void => void wire.text();
const binary = (wire: Wire): void => void wire.binary();
const everywhere: readonly Place[] = ['connect', 'will', 'publish', 'puback', 'subscribe', 'unsubscribe', 'disconnect'];

const USER_PROPERTY = 0x26;

/** The properties of MQTT 5 that a device may send (its table 2-4), by their identifiers. */
const properties: Readonly<Record<number, Property>> = {
  1: { read: flag, places: ['will', 'publish'] }, // payload format indicator
  2: { read: uint32, places: ['will', 'publish'] }, // message expiry interval
  3: { read: text, places: ['will', 'publish'] }, // content type
  8: { read: (wire) => void wire.topicName(), places: ['will', 'publish'] }, // response topic
  9: { read: binary, places: ['will', 'publish'] }, // correlation data
  // Subscription identifier. In a PUBLISH it is the server's to send, which the packet's handler says.
  11: { read: (wire) => notZero(wire.variable(), wire), places: ['publish', 'subscribe'] },
  17: { read: uint32, places: ['connect', 'disconnect'] }, // session expiry interval
  21: { read: text, places: ['connect'] }, // authentication method
  22: { read: binary, places: ['connect'] }, // authentication data
  23: { read: flag, places: ['connect'] }, // request problem information
  24: { read: uint32, places: ['will'] }, // will delay interval
  25: { read: flag, places: ['connect'] }, // request response information
  31: { read: text, places: ['puback', 'disconnect'] }, // reason string
  33: { read: (wire) => notZero(wire.uint16(), wire), places: ['connect'] }, // receive maximum
  34: { read: uint16, places: ['connect'] }, // topic alias maximum
  35: { read: uint16, places: ['publish'] }, // topic alias, judged by the packet's handler
  [USER_PROPERTY]: {
    read: (wire) => {
      wire.text();
      wire.text();
    },
    places: everywhere,
  },
  39: { read: (wire) => notZero(wire.uint32(), wire), places: ['connect'] }, // maximum packet size
};

/**
 * One that does not belong there is malformed [MQTT5 2.2.2.2]; one that comes twice is a protocol error. Answers the
 * identifiers of those that may come once.
 */
export function checkProperties(wire: Wire, place: Place): ReadonlySet<number> {
  const seen = new Set<number>();
  wire.part(wire.variable(), () => {
    while (!wire.done) {
      const identifier = wire.variable();
      const property = properties[identifier];
      if (!property?.places.includes(place)) wire.fail(reason.malformed);
      else if (seen.has(identifier)) wire.fail(reason.protocolError);
      else property.read(wire);
      if (identifier !== USER_PROPERTY) seen.add(identifier);
    }
  });
  return seen;
}
