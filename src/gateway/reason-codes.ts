/**
 * Why a session ends, or something is refused in it, in the reason codes of MQTT 5; a client of 3.1.1 is just cut off,
 * as its standard has it. `docs/mqtt.md` explains each; a test keeps both equal.
 */
export const reason = {
  normal: 0x00,
  malformed: 0x81,
  protocolError: 0x82,
  notRecorded: 0x83,
  unsupportedVersion: 0x84,
  clientIdInvalid: 0x85,
  badCredentials: 0x86,
  notAuthorised: 0x87,
  unavailable: 0x88,
  busy: 0x89,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  packetIdInUse: 0x91,
  packetIdNotFound: 0x92,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  payloadFormatInvalid: 0x99,
  retainNotSupported: 0x9a,
  qosNotSupported: 0x9b,
  useAnotherServer: 0x9c,
  sharedSubscriptionsNotSupported: 0x9e,
  subscriptionIdentifiersNotSupported: 0xa1,
  wildcardSubscriptionsNotSupported: 0xa2,
} as const;

/** For the people who write clients, where a code alone would leave them guessing. */
export const reasonStrings: Readonly<Record<number, string>> = {
  [reason.notRecorded]: 'It could not be recorded just now. Send it again later.',
  [reason.takenOver]: 'Another connection of this device has taken over.',
  [reason.quotaExceeded]: 'More than a device may say in this time.',
  [reason.payloadFormatInvalid]: 'The payload is not what docs/mqtt.schema.json describes.',
  [reason.retainNotSupported]: 'Nothing is retained here.',
  [reason.qosNotSupported]: 'QoS 0 and 1 are served here.',
  [reason.topicAliasInvalid]: 'Topic aliases are not taken here.',
};
