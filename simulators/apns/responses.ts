/** Apple's two environments. A device token issued in one environment is unknown in the other. */
export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

/** Apple's reasons and the HTTP status of each (Apple's page "Handling notification responses"). */
export const statusOfReason = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  BadEnvironmentKeyIdInToken: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>;

export type Reason = keyof typeof statusOfReason;

/** `timestampMs` is set only for 410: the time at which Apple determined that the token was no longer valid. */
export type Rejection = { kind: 'refused'; reason: Reason; timestampMs?: number };
export type CheckResult<Value> = { kind: 'passed'; value: Value } | Rejection;

export function reject(reason: Reason): Rejection {
  return { kind: 'refused', reason };
}

export function pass<Value>(value: Value): CheckResult<Value> {
  return { kind: 'passed', value };
}
