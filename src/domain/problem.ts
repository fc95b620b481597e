/** All errors that the API returns. `docs/reference/errors.md` explains each of them, and a test keeps both lists equal. */
export const problems = {
  'token-expired': {
    code: 402,
    status: 401,
    text: 'The access token has expired. Log in again, or create a new admin token.',
  },
  'no-such-user': { code: 10000, status: 404, text: 'User not found.' },
  'bad-parameter': { code: 10002, status: 400, text: 'A parameter is missing or wrong.' },
  'unsupported-content': {
    code: 10002,
    status: 415,
    text: 'The content type is not supported. Send JSON with the content type application/json.',
  },
  'token-missing': {
    code: 10003,
    status: 401,
    text: 'The access token is missing. Send it in the access-token header.',
  },
  'session-missing': {
    code: 10003,
    status: 401,
    text: 'No operator is signed in, or the session has ended. Sign in with /operator/login.',
  },
  'already-exists': { code: 10004, status: 409, text: 'The value is already in use.' },
  'no-such-operation': { code: 10006, status: 404, text: 'Operation not found. Check the path.' },
  'wrong-method': { code: 10006, status: 405, text: 'The operation does not support this HTTP method.' },
  'token-invalid': {
    code: 10008,
    status: 401,
    text: 'The access token is invalid or revoked, or belongs to another app.',
  },
  'no-permission': { code: 10010, status: 403, text: 'The caller does not have permission for this request.' },
  'login-refused': { code: 10013, status: 401, text: 'The login name or the password is wrong.' },
  'too-many-logins': {
    code: 10014,
    status: 429,
    text: 'Too many logins. Retry after the delay in the Retry-After header.',
  },
  'image-too-large': { code: 12002, status: 400, text: 'The image must be smaller than 1 MB.' },
  'list-too-long': { code: 12005, status: 400, text: 'A list has more items than allowed.' },
  'no-certificate': {
    code: 12007,
    status: 404,
    text: 'The app has no credentials for this provider and environment. Save them with /admin/certificate/save.',
  },
  'no-such-device': { code: 12008, status: 404, text: 'Device not found.' },
  'message-too-large': { code: 12009, status: 413, text: 'The request is too large.' },
  'bad-time-window': { code: 12010, status: 400, text: 'The time window of the message is not valid.' },
  'no-such-task': {
    code: 12011,
    status: 404,
    text: 'Task not found. It does not exist, is not visible to this token, or its data was deleted.',
  },
  'no-such-draft': {
    code: 12012,
    status: 404,
    text: 'Draft not found. It does not exist, is not visible to this token, or has expired.',
  },
  'approval-required': {
    code: 12013,
    status: 403,
    text: 'This draft needs the approval of another token. Ask another admin of the app to approve it.',
  },
  'draft-decided': { code: 12014, status: 409, text: 'The draft was already decided.' },
  'too-many-drafts': { code: 12015, status: 409, text: 'The app has too many drafts.' },
  'too-many-requests': {
    code: 12029,
    status: 429,
    text: 'Too many requests. Retry after the delay in the Retry-After header.',
  },
  'ceiling-reached': {
    code: 12030,
    status: 429,
    text: 'The app has reached a ceiling. Ask the operator of this installation to raise it.',
  },
  'no-such-group': { code: 20001, status: 404, text: 'Group not found.' },
  'unknown-app': { code: 40000, status: 404, text: 'App not found. Check the app ID.' },
  'internal-error': {
    code: 50000,
    status: 500,
    text: 'An internal error occurred. The log of the service has the details.',
  },
  'service-unavailable': {
    code: 50003,
    status: 503,
    text: 'The service cannot do this right now. Try again in a moment.',
  },
} as const satisfies Record<string, { code: number; status: number; text: string }>;

export type ProblemName = keyof typeof problems;

/**
 * An error that is returned to the caller. `detail` is part of the response: it states the fact and the next step, and
 * contains no internal information.
 */
export class Problem extends Error {
  override name = 'Problem';
  readonly problem: ProblemName;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: ProblemName, detail?: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(detail === undefined ? problems[problem].text : `${problems[problem].text} ${detail}`, options);
    this.problem = problem;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
