/** A parsed error from Google. Missing strings are empty. */
export interface FcmError {
  /** FCM's error code. */
  readonly code: string;
  /** The error code that all Google APIs use. */
  readonly status: string;
  readonly text: string;
  /** The fields of the request that Google reports as invalid. */
  readonly fields: readonly string[];
  /** Detail for the operator, such as the missing permission or the invalid field. */
  readonly detail: string;
  /** Whether a single device, not the project, exceeded its rate limit. */
  readonly isDeviceQuota: boolean;
}

const DETAIL_CHARACTERS_MAX = 100;
const DETAILS_MAX = 20;

/** Parses an error body. All fields are empty if the body is not JSON, such as an HTML page. */
export function readFcmError(body: string): FcmError {
  const { status, message, details } = objectOf(objectOf(parseOrUndefined(body)).error);
  const errorDetails = listOf(details);
  const fields = listOf(detailOfType(errorDetails, 'BadRequest').fieldViolations).map(({ field }) =>
    stringOrEmpty(field),
  );
  const quota = listOf(detailOfType(errorDetails, 'QuotaFailure').violations);
  return {
    code: stringOrEmpty(detailOfType(errorDetails, 'FcmError').errorCode),
    status: stringOrEmpty(status),
    text: stringOrEmpty(message),
    fields,
    detail: (stringOrEmpty(detailOfType(errorDetails, 'ErrorInfo').reason) || (fields[0] ?? '')).slice(
      0,
      DETAIL_CHARACTERS_MAX,
    ),
    isDeviceQuota: quota.some(({ subject, description }) =>
      /\bdevice\b/i.test(`${stringOrEmpty(subject)} ${stringOrEmpty(description)}`),
    ),
  };
}

/** Returns the last part of the accepted message's name, or undefined if the response is not from Google. */
export function readMessageId(body: string): string | undefined {
  return /^projects\/[^/]+\/messages\/(.+)$/.exec(stringOrEmpty(objectOf(parseOrUndefined(body)).name))?.[1];
}

type JsonObject = Readonly<Record<string, unknown>>;

const detailOfType = (details: readonly JsonObject[], name: string): JsonObject =>
  details.find((detail) => stringOrEmpty(detail['@type']).endsWith(`.${name}`)) ?? {};

function parseOrUndefined(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
const listOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.slice(0, DETAILS_MAX).map(objectOf) : [];
const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
