/** All errors that the API returns. `docs/problems.md` explains each of them, and a test keeps both lists equal. */
export const problems = {
  'token-expired': { code: 402, status: 401, text: 'This access token has expired. Log in again.' },
  'no-such-user': { code: 10000, status: 404, text: 'There is no such user.' },
  'bad-parameter': { code: 10002, status: 400, text: 'A parameter is missing or wrong.' },
  'unsupported-content': { code: 10002, status: 415, text: 'Send JSON with the content type application/json.' },
  'token-missing': { code: 10003, status: 401, text: 'Send an access token in the header access-token.' },
  'already-exists': { code: 10004, status: 409, text: 'This exists already.' },
  'no-such-operation': { code: 10006, status: 404, text: 'There is no such operation.' },
  'wrong-method': { code: 10006, status: 405, text: 'This operation takes another HTTP method.' },
  'token-invalid': { code: 10008, status: 401, text: 'This access token is not valid.' },
  'no-permission': { code: 10010, status: 403, text: 'This token may not do that.' },
  'login-refused': { code: 10013, status: 401, text: 'The login name or the password is wrong.' },
  'too-many-logins': { code: 10014, status: 429, text: 'Too many logins failed. Wait before trying again.' },
  'image-too-large': { code: 12002, status: 400, text: 'The image must be smaller than 1 MB.' },
  'list-too-long': { code: 12005, status: 400, text: 'A list has more items than allowed.' },
  'no-certificate': { code: 12007, status: 404, text: 'No push certificate is configured for this provider.' },
  'no-such-device': { code: 12008, status: 404, text: 'There is no such device.' },
  'message-too-large': { code: 12009, status: 413, text: 'The message is too large.' },
  'bad-time-window': { code: 12010, status: 400, text: 'The time window of the message is not valid.' },
  'too-many-requests': { code: 12029, status: 429, text: 'Too many requests. Wait before trying again.' },
  'no-such-group': { code: 20001, status: 404, text: 'There is no such group.' },
  'unknown-app': { code: 40000, status: 404, text: 'There is no app with this app_id.' },
  'internal-error': { code: 50000, status: 500, text: 'Something went wrong on our side.' },
  'service-unavailable': {
    code: 50003,
    status: 503,
    text: 'The service cannot do this right now. Try again in a moment.',
  },
} as const satisfies Record<string, { code: number; status: number; text: string }>;

export type ProblemName = keyof typeof problems;

/**
 * An error that is returned to the caller. `detail` is part of the response: it states the fact and the next step, and
 * nothing internal.
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
