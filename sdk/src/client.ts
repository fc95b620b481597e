import { CarillonError, CarillonUnreachable } from './errors.ts';
import { Calls } from './generated/calls.ts';
import type { Int64, OperationPath, Requests, Responses } from './generated/types.ts';
import { wire } from './generated/wire.ts';
import { toInt64, withBigints } from './int64.ts';
import { parseJson, stringifyJson } from './json.ts';
import type { OperationResult, Wire } from './operation.ts';
import { readText } from './read-text.ts';

/** Identifies the caller. */
export interface Caller {
  /** Access token: the `token` of a login, or an admin token. */
  readonly token?: string | undefined;
  /** With an admin token: calls are made on behalf of this user. */
  readonly userId?: Int64 | undefined;
  /** With an admin token: calls are made as an admin of this group and reach its members only. */
  readonly groupId?: Int64 | undefined;
}

export interface CarillonOptions extends Caller {
  /** Base URL of the service, such as `https://push.example.com`. */
  readonly url: string;
  readonly appId: string;
  /** Replaces the global `fetch`, for example to use a proxy, a connection pool or a private CA. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum duration of a call including its response; 15 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called if the service ignored fields of a notification because it does not know them, such as `message.colour`.
   * By default, the SDK writes a warning to the console.
   */
  readonly onIgnoredFields?: ((fields: readonly string[], operation: OperationPath) => void) | undefined;
}

/** The same as the service's own time limit for a call. */
const TIMEOUT_MS_DEFAULT = 15_000;

/**
 * A client of Carillon's HTTP API, for Node.js, browsers and React Native. It uses only globals that React Native has:
 * no `AbortSignal.timeout`, no streams, and no `URL`, which is incomplete there.
 *
 *   ```ts
 *   const carillon = new Carillon({ url: 'https://push.example.com', appId: 'bells', token: adminToken });
 *   const { task_id } = await carillon.push.notify({ audience: { user_id: [42n] }, message: { title: 'Hello' } });
 *   ```
 *
 * The client never retries a call automatically. After a `CarillonUnreachable`, your code must decide whether repeating
 * the call is safe. A notification with a `request_id` can be sent again safely: the service returns the first task and
 * sends nothing twice.
 */
export class Carillon extends Calls {
  readonly #options: CarillonOptions;
  readonly #baseUrl: string;

  constructor(options: CarillonOptions) {
    super();
    this.#baseUrl = toBaseUrl(options.url);
    this.#options = options;
  }

  /** Returns a client for another caller. The token is kept unless another is given; user and group are not kept. */
  as({ token = this.#options.token, userId, groupId }: Caller): Carillon {
    return new Carillon({ ...this.#options, token, userId, groupId });
  }

  /**
   * Calls an operation by its path. Returns its data and the response headers, such as `carillon-request`, which marks
   * a repeated notification. The methods named after the paths return only the data.
   */
  async call<Path extends OperationPath>(
    path: Path,
    request: Requests[Path],
  ): Promise<OperationResult<Responses[Path]>> {
    const { method, access, int64InRequest, int64InResponse } = wire[path];
    const exactRequest = withBigints(request, int64InRequest, 'request') as Record<string, unknown>;
    const headers = this.#headersFor(access);
    const url = `${this.#baseUrl}${path}`;
    const [status, responseHeaders, text] =
      method === 'GET'
        ? await this.#fetchText(path, `${url}?${toQuery(exactRequest)}`, { method, headers })
        : await this.#fetchText(path, url, {
            method,
            headers: { ...headers, ...JSON_BODY },
            body: stringifyJson(exactRequest),
          });

    const { code, data, message } = toEnvelope(path, status, text);
    if (code !== 200) {
      const retryAfterSeconds = toSeconds(responseHeaders.get('retry-after'));
      throw new CarillonError(path, message ?? 'The response contains no error message.', {
        code,
        status,
        retryAfterSeconds,
        requestId: responseHeaders.get('x-request-id') ?? undefined,
      });
    }
    const ignoredFields = responseHeaders.get('carillon-ignored-fields')?.split(', ') ?? [];
    if (ignoredFields.length > 0) (this.#options.onIgnoredFields ?? warnAboutIgnoredFields)(ignoredFields, path);
    try {
      return { data: withBigints(data, int64InResponse, 'data') as Responses[Path], headers: responseHeaders };
    } catch (cause) {
      throw new CarillonUnreachable(path, `The response to ${path} has an unexpected structure.`, { cause });
    }
  }

  /** Returns the headers of a call. Open operations are called without a token, because their callers have none yet. */
  #headersFor(access: Wire['access']): Record<string, string> {
    const { appId, token, userId, groupId } = this.#options;
    if (access === 'open' || access === 'session') return { app_id: appId };
    return {
      app_id: appId,
      ...(token !== undefined && { 'access-token': token }),
      ...(userId !== undefined && { user_id: toDigits('userId', userId) }),
      ...(groupId !== undefined && { group_id: toDigits('groupId', groupId) }),
    };
  }

  async #fetchText(path: OperationPath, url: string, init: RequestInit): Promise<[number, Headers, string]> {
    const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS_DEFAULT } = this.#options;
    const aborter = new AbortController();
    const { signal } = aborter;
    const timer = setTimeout(() => aborter.abort(), timeoutMs);
    try {
      // A redirect would send the access token to another URL.
      const response = await fetch(url, { ...init, signal, redirect: 'error', credentials: 'omit' });
      return [response.status, response.headers, await readText(response)];
    } catch (cause) {
      const reason = signal.aborted
        ? `did not respond within ${timeoutMs} ms`
        : `cannot be reached: ${reasonOf(cause)}`;
      throw new CarillonUnreachable(path, `${this.#baseUrl} ${reason}.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

function warnAboutIgnoredFields(fields: readonly string[], operation: OperationPath): void {
  console.warn(`Carillon ignored unknown fields of ${operation}: ${fields.join(', ')}.`);
}

const JSON_BODY = { 'content-type': 'application/json' };
/** The parts of a URL: scheme, user and password, which are ignored, host and path. */
const HTTP_URL = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@\s]+)([^?#\s]*)/i;

function toBaseUrl(url: string): string {
  const [, scheme, host, path = ''] = HTTP_URL.exec(url) ?? [];
  if (!scheme || !host) throw new TypeError(`url must be the http or https URL of the Carillon service (${url}).`);
  return scheme + host + path.replace(/\/+$/, '');
}

const toQuery = (request: Record<string, unknown>): string =>
  Object.entries(request)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

function toDigits(name: string, id: Int64): string {
  const int64 = toInt64(id);
  if (int64 === undefined)
    throw new RangeError(`${name} must be a 64-bit signed integer, given as a bigint or a safe integer.`);
  return int64.toString();
}

interface Envelope {
  readonly code: number;
  readonly data: unknown;
  readonly message: string | null;
}

function toEnvelope(path: OperationPath, status: number, text: string): Envelope {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch (cause) {
    throw new CarillonUnreachable(
      path,
      `The response to ${path} does not come from Carillon (HTTP ${status}). ${URL_HINT}`,
      {
        cause,
      },
    );
  }
  const { code, data, message } = (parsed ?? {}) as Partial<Record<keyof Envelope, unknown>>;
  if (typeof code !== 'number')
    throw new CarillonUnreachable(
      path,
      `The response to ${path} does not come from Carillon (HTTP ${status}). ${URL_HINT}`,
    );
  return { code, data, message: typeof message === 'string' ? message : null };
}

const URL_HINT = 'Check that the url option is the URL of the Carillon service.';

/**
 * Parses a Retry-After header. Returns undefined for a date, which a proxy may send, because converting it to a delay
 * would require the proxy's clock.
 */
const toSeconds = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/**
 * Returns the reason for a failed fetch. Node reports it only in the cause, sometimes only as a code. Browsers never
 * report it.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as { code?: unknown }).code ?? error.message);
}
