import type { ClientCertificate, VendorRequest, VendorResponse } from '../vendor.ts';

/** No clear answer came: the vendor may have taken the request or not. */
export class NoResponseError extends Error {
  override name = 'NoResponseError';
}

/** What a failed connection says. One that was tried at several addresses says nothing but its code. */
export const errorText = ({ message, name, code = name }: Error & { readonly code?: string }): string =>
  message || code;

/** Connections to one origin under one account. Nothing that may have arrived is tried again: the ledger owns retries. */
export interface Pool {
  /** A status and a complete body; everything else is NoAnswer. */
  request(request: VendorRequest, deadlineMs: number): Promise<VendorResponse>;
  close(): void;
  /** Ends when what is under way has ended. */
  retire(): void;
}

export interface PoolOptions {
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Where an HTTP proxy takes us to everybody else. */
  readonly proxyUrl?: string | undefined;
  readonly startsWithOneStream?: true | undefined;
}

/** An answer lists at most the tokens of a request; whoever sends more is not who we think. */
export const RESPONSE_BYTES_MAX = 256 * 1024;
/** More than all slots of a worker ask for at a time. */
export const QUEUED_REQUESTS_MAX = 10_000;
export const CONNECT_MS_MAX = 10_000;
