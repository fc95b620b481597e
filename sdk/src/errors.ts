import type { OperationPath } from './generated/types.ts';

/** An error response from Carillon. `docs/reference/errors.md` explains the codes. */
export class CarillonError extends Error {
  override readonly name = 'CarillonError';
  readonly operation: OperationPath;
  /** Error code, such as 10013 for a rejected login. */
  readonly code: number;
  /** HTTP status. It is 200 even for errors if the app has the setting `http_errors: always200`. */
  readonly status: number;
  /** Seconds to wait before the next attempt, if the response specifies them. */
  readonly retryAfterSeconds: number | undefined;
  /** ID of the call in the log of the service (`X-Request-Id`). It is not the `request_id` of a notification. */
  readonly requestId: string | undefined;

  constructor(
    operation: OperationPath,
    message: string,
    details: { code: number; status: number; retryAfterSeconds: number | undefined; requestId?: string | undefined },
  ) {
    super(message);
    this.operation = operation;
    this.code = details.code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
  }
}

/**
 * No response from Carillon was received: the network failed, the call timed out, or another server responded. It is
 * unknown whether the call was executed.
 */
export class CarillonUnreachable extends Error {
  override readonly name = 'CarillonUnreachable';
  readonly operation: OperationPath;

  constructor(operation: OperationPath, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = operation;
  }
}
