import type { LookupFunction } from 'node:net';
import type { ClientCertificate, VendorRequest, VendorResponse } from '../vendor.ts';

/** No complete response was received. The vendor may or may not have processed the request. */
export class NoResponseError extends Error {
  override name = 'NoResponseError';
}

/**
 * Returns the message of a connection error, or its code if the message is empty. The message is empty if connecting to
 * several addresses failed.
 */
export const errorText = ({ message, name, code = name }: Error & { readonly code?: string }): string =>
  message || code;

/**
 * Connections to one origin for one account. A request that the vendor may have processed is not sent again, because
 * the ledger controls retries.
 */
export interface Pool {
  /** Returns a status and a complete body. Throws NoResponseError in all other cases. */
  request(request: VendorRequest, deadlineMs: number): Promise<VendorResponse>;
  close(): void;
  /** Closes the connections after the pending requests have ended. */
  retire(): void;
}

export interface PoolOptions {
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The URL of the HTTP proxy, if outgoing connections require one. */
  readonly proxyUrl?: string | undefined;
  readonly startsWithOneStream?: true | undefined;
  /** Maximum number of connections over HTTP/1.1. */
  readonly connections?: number;
  /** Replaces the DNS lookup of direct connections. */
  readonly lookup?: LookupFunction;
}

/**
 * Maximum size of a response. A response lists at most the tokens of a request, so a longer response is not from the
 * vendor.
 */
export const RESPONSE_BYTES_MAX = 256 * 1024;
/**
 * Maximum number of queued requests. It is higher than the number of requests that all slots of a worker send at a
 * time.
 */
export const QUEUED_REQUESTS_MAX = 10_000;
export const CONNECT_MS_MAX = 10_000;
