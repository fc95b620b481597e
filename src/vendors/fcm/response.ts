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
  readonly isOfDevice: boolean;
}

const DETAIL_CHARACTERS_MAX = 100;
const DETAILS_MAX = 20;

/** Of a body that may be a page of HTML, nothing is left. */
export function readFcmError(body: string): FcmError {
  const { status, message, details } = objectOf(objectOf(parse(body)).error);
  const all = listOf(details);
  const fields = listOf(typed(all, 'BadRequest').fieldViolations).map(({ field }) => textOf(field));
  const quota = listOf(typed(all, 'QuotaFailure').violations);
  return {
    code: textOf(typed(all, 'FcmError').errorCode),
    status: textOf(status),
    text: textOf(message),
    fields,
    detail: (textOf(typed(all, 'ErrorInfo').reason) || (fields[0] ?? '')).slice(0, DETAIL_CHARACTERS_MAX),
    isOfDevice: quota.some(({ subject, description }) =>
      /\bdevice\b/i.test(`${textOf(subject)} ${textOf(description)}`),
    ),
  };
}

/** The last part of the name that Google gives what it accepted; nothing when this is no answer of Google's. */
export function readMessageId(body: string): string | undefined {
  return /^projects\/[^/]+\/messages\/(.+)$/.exec(textOf(objectOf(parse(body)).name))?.[1];
}

type Loose = Readonly<Record<string, unknown>>;

const typed = (details: readonly Loose[], name: string): Loose =>
  details.find((detail) => textOf(detail['@type']).endsWith(`.${name}`)) ?? {};

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});
const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.slice(0, DETAILS_MAX).map(objectOf) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
