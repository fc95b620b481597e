import { reason } from '../reason-codes.ts';

/**
 * Packet types that a device must not send in a session, with the reason code that ends the session. Carillon never
 * sends or accepts QoS 2. Of the QoS 2 packets, only PUBREL gets a response (see `pubrel.ts`). The other types are
 * reserved or sent only by servers.
 */
export const forbiddenPackets: Readonly<Record<number, number>> = {
  1: reason.protocolError, // a second CONNECT [MQTT-3.1.0-2]
  2: reason.protocolError, // CONNACK
  5: reason.protocolError, // PUBREC: notifications are sent at QoS 1
  7: reason.protocolError, // PUBCOMP
  9: reason.protocolError, // SUBACK
  11: reason.protocolError, // UNSUBACK
  13: reason.protocolError, // PINGRESP
  // AUTH, without an authentication method in the CONNECT [MQTT-4.12.0-6]. In 3.1.1 the type is reserved.
  15: reason.protocolError,
};
