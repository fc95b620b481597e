/**
 * MQTT 5 reason codes for the end of a session or a rejected packet. A 3.1.1 client is only disconnected, as its
 * standard requires. `docs/reference/mqtt.md` explains each code; a test compares that page with this list.
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

/** Explanations for client developers, where the code alone is not clear enough. */
export const reasonStrings: Readonly<Record<number, string>> = {
  [reason.notRecorded]: 'The report could not be recorded. Send it again later.',
  [reason.takenOver]: 'Another connection of this device has taken over.',
  [reason.quotaExceeded]: 'Report rate limit exceeded. Send reports less often.',
  [reason.payloadFormatInvalid]: 'The payload does not match docs/mqtt.schema.json.',
  [reason.retainNotSupported]: 'Retained messages are not supported.',
  [reason.qosNotSupported]: 'QoS 2 is not supported. Use QoS 0 or 1.',
  [reason.topicAliasInvalid]: 'Topic aliases are not supported.',
};
