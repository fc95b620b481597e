import assert from 'node:assert/strict';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { insertOperator, setRole } from '#src/storage/operators/operators.ts';

export const OPERATOR_PASSWORD = 'nine bells at midnight';

/** A response to an operator: the envelope, the status and the headers. */
export interface OperatorResponse {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  readonly message: string | null;
  readonly headers: Headers;
}

/** Creates an operator with `OPERATOR_PASSWORD`, who may read `viewedApp`. */
export async function seedOperator(
  db: HomeDb,
  email: string,
  { isPlatform = false, viewedApp }: { isPlatform?: boolean; viewedApp?: string } = {},
): Promise<bigint> {
  const passwordHash = await hashPassword(OPERATOR_PASSWORD);
  const operatorId = await insertOperator(db, { email, name: `Operator ${email}`, passwordHash, isPlatform });
  assert.ok(operatorId !== undefined);
  if (viewedApp !== undefined) await setRole(db, operatorId, viewedApp, 'viewer');
  return operatorId;
}

/** A browser in which an operator has signed in. */
export class OperatorBrowser {
  readonly apiUrl: string;
  cookie: string | undefined;
  csrfToken: string | undefined;

  constructor(apiUrl: string) {
    this.apiUrl = apiUrl;
  }

  /** Sends a request with the cookie and the CSRF token. A header with the value undefined is left out. */
  async post(
    path: string,
    body: object = {},
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<OperatorResponse> {
    const all = {
      'content-type': 'application/json',
      cookie: this.cookie,
      'carillon-csrf': this.csrfToken,
      ...headers,
    };
    const response = await fetch(`${this.apiUrl}${path}`, {
      method: 'POST',
      headers: Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      body: stringifyJson(body),
    });
    const envelope = parseJson(await response.text()) as Omit<OperatorResponse, 'status' | 'headers'>;
    return { ...envelope, status: response.status, headers: response.headers };
  }

  async signIn(email: string, password = OPERATOR_PASSWORD): Promise<OperatorResponse> {
    const response = await this.post('/operator/login', { email, password });
    this.#keep(response);
    return response;
  }

  #keep({ code, data, headers }: OperatorResponse): void {
    if (code !== 200) return;
    this.cookie = headers
      .getSetCookie()
      .map((header) => header.split(';')[0])
      .join('; ');
    this.csrfToken = (data as { csrf_token: string }).csrf_token;
  }
}

/** Returns a browser in which the operator has signed in. */
export async function signedIn(apiUrl: string, email: string): Promise<OperatorBrowser> {
  const browser = new OperatorBrowser(apiUrl);
  const { code, message } = await browser.signIn(email);
  assert.equal(code, 200, message ?? '');
  return browser;
}
