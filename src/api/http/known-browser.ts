import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Keyring, open, seal } from '#src/foundation/sealed-box.ts';
import { readCookie, setCookie } from './session-cookie.ts';

const COOKIE = 'carillon_browser';
const SEAL_CONTEXT = JSON.stringify(['operators', 'known-browser']);
/** Browsers do not keep a cookie for longer than 400 days. */
const COOKIE_DAYS = 365;
const DAY_SECONDS = 24 * 60 * 60;

interface KnownBrowser {
  readonly emailHash: string;
  readonly browserId: string;
  readonly expiresMs: number;
}

/** Returns a `Set-Cookie` header for a browser in which an operator has signed in with the right password. */
export function setKnownBrowser(keyring: Keyring, request: FastifyRequest, email: string): string {
  const browserId = readKnownBrowser(keyring, request, email) ?? randomUUID();
  const known: KnownBrowser = {
    emailHash: hashEmail(email),
    browserId,
    expiresMs: Date.now() + COOKIE_DAYS * DAY_SECONDS * 1_000,
  };
  const value = seal(keyring, SEAL_CONTEXT, JSON.stringify(known)).toString('base64url');
  return setCookie(request, COOKIE, value, COOKIE_DAYS * DAY_SECONDS);
}

/** Returns the ID of the browser if the operator with this email address has signed in with it before. */
export function readKnownBrowser(keyring: Keyring, request: FastifyRequest, email: string): string | undefined {
  const cookie = readCookie(request, COOKIE);
  if (cookie === undefined) return undefined;
  try {
    const known = JSON.parse(open(keyring, SEAL_CONTEXT, Buffer.from(cookie, 'base64url'))) as KnownBrowser;
    return known.emailHash === hashEmail(email) && known.expiresMs > Date.now() ? known.browserId : undefined;
  } catch {
    // The cookie was not sealed by this installation, or with a key that was removed.
    return undefined;
  }
}

/** Hashes the email address, because operators sometimes type a password into this field. */
export const hashEmail = (email: string): string => createHash('sha256').update(email).digest('base64url');
