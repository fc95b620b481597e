/** What Google's error says; a text that is not there is empty. */
export interface FcmError {
  /** FCM's own code. */
  readonly code: string;
  /** The code that all of Google uses. */
  readonly status: string;
  readonly text: string;
  /** Those that the request was wrong in. */
  readonly fields: readonly string[];
  /** A word for the operator: which permission is missing, which field was wrong. */
  readonly detail: string;
  /** One device got too much, and not the project. */
  readonly isDeviceQuota: boolean;
}

const DETAIL_CHARACTERS_MAX = 100;
const DETAILS_MAX = 20;

/** Of a body that may be a page of HTML, nothing is left. */
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

/** The last part of the name that Google gives what it accepted; nothing when this is no answer of Google's. */
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
