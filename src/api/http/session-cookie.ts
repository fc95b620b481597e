import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#src/domain/problem.ts';

/** The parts of a request that decide about cookies. Behind a trusted proxy, they are those of the browser's request. */
type BrowserRequest = Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>;

const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;
const CSRF_HEADER = 'carillon-csrf';

/**
 * Returns whether cookies get the attribute `Secure`. Only a browser on the same machine can use plain HTTP. A proxy may
 * terminate TLS although it is not trusted, so plain HTTP from elsewhere counts as secure.
 */
export const isSecure = ({ protocol, host }: BrowserRequest): boolean =>
  protocol === 'https' || !LOOPBACK_HOST.test(host);

/** With the prefix `__Host-`, browsers reject a cookie that another host or an unencrypted page sets. */
const nameOf = (request: BrowserRequest, name: string): string => (isSecure(request) ? `__Host-${name}` : name);

export const SESSION_COOKIE = 'carillon_session';

/** Returns the value of a cookie that `setCookie` has set. */
export function readCookie(request: BrowserRequest, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[nameOf(request, name)];
}

/** Returns a `Set-Cookie` header for a cookie that scripts cannot read. Without a value, the header deletes the cookie. */
export function setCookie(request: BrowserRequest, name: string, value?: string, maxAgeSeconds?: number): string {
  return stringifySetCookie({
    name: nameOf(request, name),
    value: value ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request),
    ...(value === undefined ? { maxAge: 0 } : maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  });
}

/** Returns the token that each request of a session must send in a header. A page of another site cannot read it. */
export const csrfTokenOf = (sessionId: string): string =>
  createHmac('sha256', sessionId).update('carillon-csrf').digest('base64url');

/** Throws if a request with a session does not have the token of the session in its header. */
export function requireCsrfToken({ headers }: BrowserRequest, sessionId: string): void {
  const given = Buffer.from(String(headers[CSRF_HEADER] ?? ''));
  const expected = Buffer.from(csrfTokenOf(sessionId));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Problem(
      'no-permission',
      `The header ${CSRF_HEADER} is missing or wrong. Send the csrf_token that /operator/session returns.`,
    );
}

/** Throws if a page of another origin sent the request. */
export function requireSameOrigin({ headers: { origin }, host }: BrowserRequest): void {
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new Problem(
    'no-permission',
    'A page of another origin sent the request. If it was the console, the proxy must forward the Host header.',
  );
}
