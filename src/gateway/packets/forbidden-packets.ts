import { reason } from '../reason-codes.ts';

/**
 * What a device must not send in a session, by type, and what its session ends with. Of what is QoS 2 only a PUBREL has an
 * answer (see its file): nothing was ever sent, or taken, at QoS 2. All others are a server's to send, or reserved.
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
