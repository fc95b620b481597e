import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { consoleMissingPage } from '#src/contract/pages/console-missing-page.ts';
import { type ConsoleFile, readConsoleFiles } from './console-files.ts';

/** The build writes this text wherever the nonce belongs. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const NONCE_BYTES = 16;
/** The names of these files contain a hash of their content. */
const HASHED = /^assets\//;

/** Adds the console: `GET /console` and everything below it. The console calls the public API of this server. */
export function addConsole(server: FastifyInstance): void {
  const build = readConsoleFiles();
  server.get('/console', async (_request, reply) => reply.redirect('/console/', 308));
  server.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    void reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    if (!build) return sendMissing(reply);
    const file = build.files.get(request.params['*']);
    if (file) return sendFile(request, reply, request.params['*'], file);
    // A missing file must not return the page, which the browser would try to run as a script.
    if (HASHED.test(request.params['*'])) return reply.callNotFound();
    return sendPage(reply, build.page);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, name: string, file: ConsoleFile): FastifyReply {
  const cacheControl = HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
  void reply.type(file.type).header('cache-control', cacheControl).header('vary', 'accept-encoding');
  if (!file.gzip || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(file.content);
  return reply.header('content-encoding', 'gzip').send(file.gzip);
}

/** Sends the page, which is the same for every path: the console reads the path itself. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policyWith(nonce))
    .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
}

/** Only styles need the nonce, because the component library creates style elements. Scripts are files of this server. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

function sendMissing(reply: FastifyReply): FastifyReply {
  const { html, policy } = consoleMissingPage();
  return reply
    .status(503)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .send(html);
}
