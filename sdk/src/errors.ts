import type { OperationPath } from './generated/types.ts';

/** Carillon said no. The codes are explained in `docs/problems.md`. */
export class CarillonError extends Error {
  override readonly name = 'CarillonError';
  readonly operation: OperationPath;
  /** Which problem it is, such as 10013: the login was refused. */
  readonly code: number;
  /** The HTTP status; 200 also for failures if the app is set to `http_errors: always200`. */
  readonly status: number;
  /** How long to wait before trying again, if that was said. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    operation: OperationPath,
    message: string,
    details: { code: number; status: number; retryAfterSeconds: number | undefined },
  ) {
    super(message);
    this.operation = operation;
    this.code = details.code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/**
 * There was no answer of Carillon's: the network failed, it took too long, or something else answered. Whether the call
 * was done is not known.
 */
export class CarillonUnreachable extends Error {
  override readonly name = 'CarillonUnreachable';
  readonly operation: OperationPath;

  constructor(operation: OperationPath, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = operation;
  }
}
