import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#src/contract/operation.ts';
import type { Authenticator } from './authenticate.ts';

/**
 * Headers that a page can send. `user_id` and `group_id` are not among them, because they require an admin token, which
 * does not belong in a page.
 */
const REQUEST_HEADERS = 'access-token, app_id, content-type';
const RESPONSE_HEADERS = 'carillon-ignored-fields, carillon-request, retry-after, x-request-id';
/** Browsers repeat a preflight request after this time, so a removed origin is rejected by then. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of the origins in an app's `cors_origins` call the operations that need no admin token.
 *
 * A preflight request has no `app_id` header, so it is accepted if any app has the origin. This grants nothing: the
 * response to the call itself has a CORS header only if its app has the origin, and if neither an admin token nor a session was used.
 */
export function addCors(
  server: FastifyInstance,
  operations: readonly Operation[],
  authenticator: Pick<Authenticator, 'corsOrigins'>,
): void {
  const methods = new Map(
    operations
      .filter(({ access, appless }) => access !== 'admin' && !appless)
      .map(({ path, method }) => [path, method]),
  );
  server.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wantedMethod } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || wantedMethod === undefined) return;
    const method = methods.get(request.url.split('?')[0] as string);
    if (method !== wantedMethod || !(await authenticator.corsOrigins()).has(origin)) return;
    allow(reply, origin)
      .header('access-control-allow-methods', method)
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS.toString());
    return reply.status(204).send();
  });
  server.addHook('onSend', async (request, reply) => {
    const origin = allowedOrigin(request);
    if (origin === undefined || !methods.has(request.routeOptions.url ?? '')) return;
    allow(reply, origin).header('access-control-expose-headers', RESPONSE_HEADERS);
  });
}

/** Returns the origin of the calling page if its app allows it. */
function allowedOrigin({ headers: { origin }, app, token }: FastifyRequest): string | undefined {
  return app?.corsOrigins.find((allowed) => allowed === origin && (token?.kind ?? 'user') === 'user');
}

function allow(reply: FastifyReply, origin: string): FastifyReply {
  const otherHeaders = reply.getHeader('vary');
  const vary = otherHeaders === undefined ? 'origin' : `${otherHeaders}, origin`;
  return reply.header('access-control-allow-origin', origin).header('vary', vary);
}
