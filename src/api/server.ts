import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { dropBlankFields } from '#src/contract/drop-blank-fields.ts';
import { BODY_BYTES_MAX, envelopeOf, toWireSchema } from '#src/contract/operation.ts';
import type { Caller } from '#src/domain/caller.ts';
import { Problem, type ProblemName, problems } from '#src/domain/problem.ts';
import { parseJson, TooManyValues } from '#src/foundation/json.ts';
import { Networks } from '#src/foundation/networks.ts';
import { QueueFull } from '#src/foundation/semaphore.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import { isTransientError } from '#src/storage/database/database.ts';
import type { OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import { referenceOf, type TokenRow } from '#src/storage/users/tokens.ts';
import { addConsole } from './console/add-console.ts';
import type { ApiContext, ApiRequest, Route } from './context.ts';
import type { Authenticator } from './http/authenticate.ts';
import { addCallbacks } from './http/callbacks.ts';
import { addCors } from './http/cors.ts';
import { addDocuments } from './http/documents.ts';
import { checkFieldNames } from './http/field-names.ts';
import { identifyCaller } from './http/identify-caller.ts';
import { addOidcSignIn } from './http/oidc-sign-in.ts';
import { recordAudit } from './http/record-audit.ts';
import { RejectionDelays } from './http/rejection-delays.ts';
import { requestLanguage } from './http/request-language.ts';
import { addRequestRecords, outcomeOfStatus, REQUEST_ID_HEADER, toRequestId } from './http/request-records.ts';
import { UserLimits } from './http/user-limits.ts';
import { compileValidator } from './http/validate.ts';
import { apiMetrics } from './metrics.ts';
import { routes } from './routes.ts';

/**
 * Maximum number of values in a body, which limits the time for parsing it. A notification has at most 2,000 audience
 * entries.
 */
const BODY_VALUES_MAX = 4_096;
/**
 * Maximum number of bytes of an oversized body that are read and discarded, so that the client receives the error
 * response.
 */
const IGNORED_BYTES_MAX = 16 * 1024 * 1024;
const REQUEST_MS_MAX = 15_000;
const HEADER_BYTES_MAX = 8 * 1024;
const LIMIT_PROBLEMS: ReadonlySet<ProblemName> = new Set(['too-many-requests', 'too-many-logins', 'ceiling-reached']);

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the `app_id` header has been checked. */
    app: App | null;
    /** Set before the body is read, if the operation requires a token or a session. */
    token: TokenRow | null;
    /** Set with the token if an operator calls. */
    session: OperatorSession | null;
    caller: Caller | null;
  }
}

/** Returns the proxies whose `X-Forwarded-For` header is trusted. */
export const trustedProxies = ({
  CARILLON_API_TRUSTED_PROXIES: text,
}: Pick<ApiContext['settings'], 'CARILLON_API_TRUSTED_PROXIES'>): Networks =>
  new Networks('CARILLON_API_TRUSTED_PROXIES', text);

/**
 * Creates the HTTP server. Every response is an envelope, including errors about unknown paths and malformed bodies.
 */
export function createServer(context: ApiContext, authenticator: Authenticator): FastifyInstance {
  const proxies = trustedProxies(context.settings);
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    keepAliveTimeout: 30_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    genReqId: ({ headers }) => toRequestId(headers[REQUEST_ID_HEADER]),
    trustProxy: proxies.size > 0 && ((address) => proxies.has(address)),
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendProblem(context, request, reply, error),
    clientErrorHandler: sendBadRequest,
  });
  server.decorateRequest('app', null);
  server.decorateRequest('token', null);
  server.decorateRequest('session', null);
  server.decorateRequest('caller', null);
  addRequestRecords(server, context.log);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      // Many clients send an empty body to operations without body fields.
      done(null, text === '' ? undefined : parseJson(text as string, BODY_VALUES_MAX));
    } catch (cause) {
      if (cause instanceof TooManyValues)
        done(new Problem('message-too-large', `The body has more than ${BODY_VALUES_MAX} values.`, { cause }));
      else done(new Problem('bad-parameter', 'The body is not JSON, or has a key that is not allowed.', { cause }));
    }
  });
  const delays = new RejectionDelays(context.settings.CARILLON_API_REJECTIONS_PER_ADDRESS_PER_SECOND);
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (isPossibleAttack(request, toProblem(error))) await delays.take(request.ip);
    sendProblem(context, request, reply, error);
    return reply;
  });
  server.setNotFoundHandler(async (request, reply) => {
    // Only needed for the app's `http_errors` setting.
    request.app = await authenticator.app(request.headers, request.ip).catch(() => null);
    sendProblem(context, request, reply, new Problem('no-such-operation'));
    return reply;
  });
  addCors(
    server,
    routes.map(({ operation }) => operation),
    authenticator,
  );
  const guards = { authenticator, userLimits: new UserLimits(context.settings.CARILLON_USER_REQUESTS_PER_MINUTE) };
  for (const route of routes) addRoute(server, context, guards, route);
  addCallbacks(server, context);
  addDocuments(server, context);
  addConsole(server);
  addOidcSignIn(server, context);
  return server;
}

interface Guards {
  readonly authenticator: Authenticator;
  readonly userLimits: UserLimits;
}

function addRoute(
  server: FastifyInstance,
  context: ApiContext,
  { authenticator, userLimits }: Guards,
  route: Route,
): void {
  const { operation } = route;
  const checkBody = operation.body && compileValidator(operation.body, 'body');
  const checkQuery = operation.query && compileValidator(operation.query, 'query');
  server.route({
    method: operation.method,
    url: operation.path,
    schema: { response: { 200: toWireSchema(envelopeOf(operation.data)) } },
    bodyLimit: operation.bodyBytesMax ?? BODY_BYTES_MAX,
    // Runs before the body is read, so that only callers with a valid token can make this process parse a large body,
    // and errors about the body follow the app's `http_errors` setting.
    onRequest: async (request) => {
      const caller = await identifyCaller(authenticator, operation, request);
      if (!caller) return;
      userLimits.take(caller);
      if (request.app) await route.admit?.(context, request.app);
      request.caller = caller;
    },
    handler: async (request, reply) => {
      const app = request.app ?? (INACCESSIBLE as App);
      const ignoredFields =
        operation.body && operation.checksFieldNames
          ? checkFieldNames(operation.body, request.body, app.rejectTypos)
          : [];
      if (ignoredFields.length > 0) void reply.header('carillon-ignored-fields', ignoredFields.join(', '));
      const body = checkPart(operation.body, checkBody, request.body);
      const query = checkPart(operation.query, checkQuery, request.query);
      const apiRequest: ApiRequest = {
        app,
        caller: request.caller ?? (INACCESSIBLE as Caller),
        token: request.token ?? (INACCESSIBLE as TokenRow),
        session: request.session ?? (INACCESSIBLE as OperatorSession),
        body: body as never,
        query: query as never,
        ignoredFields,
        address: request.ip,
        receivedMs: request.receivedMs,
        language: operation.translates ? requestLanguage(request.headers['accept-language']) : 'en',
        setHeader: (name, value) => void reply.header(name, value),
        http: request,
      };
      if (operation.translates) void reply.header('vary', 'accept-language');
      await route.precheck?.(context, apiRequest);
      const recordResult = await recordAudit(context, operation, apiRequest);
      const data = await route.handle(context, apiRequest);
      await recordResult?.(data);
      if (operation.revokes) context.log.security('access-revoked', sourceOf(request));
      return { code: 200, data, message: null };
    },
  });
}

function checkPart(schema: TSchema | undefined, check: ((value: unknown) => void) | undefined, value: unknown) {
  if (!schema || !check) return undefined;
  if (value === undefined && (schema as TObject).required === undefined) return checkPart(schema, check, {});
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('bad-parameter', 'The body must be a JSON object.');
  const fields = dropBlankFields(schema, value);
  check(fields);
  return fields;
}

/** Operations without an app, a token or a session must not read them. */
const INACCESSIBLE = new Proxy(
  {},
  {
    get: () => {
      throw new Error('This operation has no app, caller or session.');
    },
  },
);

/**
 * Returns whether many rejections like this one can be an attack. An authenticated caller is suspicious only at a limit,
 * because a backend can cause many other errors.
 */
function isPossibleAttack({ caller }: FastifyRequest, { problem }: Problem): boolean {
  return problems[problem].status < 500 && (caller === null || LIMIT_PROBLEMS.has(problem));
}

function sendProblem(context: ApiContext, request: FastifyRequest, reply: FastifyReply, error: Error): void {
  // For an unknown operation the framework may report another error first; the unknown path is more useful to the
  // caller.
  const problem = request.is404 ? unknownOperationProblem(request, reply) : toProblem(error);
  const { code, status } = problems[problem.problem];
  request.outcome = outcomeOfStatus(status);
  apiMetrics.refused.inc({ problem: problem.problem });
  const securityEvent = securityEvents[problem.problem];
  if (securityEvent !== undefined)
    context.log.security(securityEvent, { ...sourceOf(request), problem: problem.problem, reason: problem.message });
  // Internal errors and failures such as a full disk are logged in full, but the caller gets no details.
  if (problem.problem === 'internal-error' || isTransientError(error))
    context.log.error('request-failed', { ...requestFieldsOf(request), error });
  // After an oversized body, the framework closes the connection, and the response is often lost. The connection
  // therefore stays open if the body is small enough to be discarded.
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= IGNORED_BYTES_MAX)
    void reply.removeHeader('connection');
  const retryAfterSeconds = problem.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds.toString());
  void reply
    .status(request.app?.httpErrors === 'always200' ? 200 : status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    // The framework reports some errors, such as a malformed URL, before its hooks run.
    .header(REQUEST_ID_HEADER, request.id)
    .send({ code, data: null, message: withRequestId(problem, request.id) });
}

/** The ID leads from the response to the details in the log. */
const withRequestId = ({ problem, message }: Problem, requestId: string): string =>
  problem === 'internal-error' ? `${message} Request ID: ${requestId}.` : message;

/** The security events of errors. A failed login is logged with its user, in `logins/login.ts`. */
export const securityEvents: Readonly<Partial<Record<ProblemName, string>>> = {
  'too-many-logins': 'login-limited',
  'token-invalid': 'token-rejected',
  'token-expired': 'token-rejected',
  'unknown-app': 'app-unknown',
  'no-permission': 'permission-denied',
  'too-many-requests': 'limit-exceeded',
};

/** Returns the fields of a log line that identify a request. */
const requestFieldsOf = ({ id, app, routeOptions }: FastifyRequest) => ({
  requestId: id,
  appId: app?.appId,
  operation: routeOptions.url,
});

/** Returns the fields of a security event that identify the request and its source, as far as they are known. */
function sourceOf(request: FastifyRequest) {
  const { token, ip } = request;
  return {
    ...requestFieldsOf(request),
    address: ip,
    ...(token && { tokenKind: token.kind, tokenId: referenceOf(token).tokenId }),
    ...(token?.kind === 'user' && { userId: token.userId }),
  };
}

function toProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Unavailable || error instanceof QueueFull || isTransientError(error))
    return new Problem('service-unavailable', undefined, { cause: error });
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const isClientError = statusCode < 500 || BROKEN_UPLOAD.test(code);
  return new Problem(frameworkProblems[code] ?? (isClientError ? 'bad-parameter' : 'internal-error'), undefined, {
    cause: error,
  });
}

/** Error codes that mean that the client disconnected during the upload or sent malformed chunks. */
const BROKEN_UPLOAD = /^(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|HPE_)/;

/** Errors that the framework reports, mapped to API errors. */
const frameworkProblems: Readonly<Record<string, ProblemName>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'message-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-content',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-parameter',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-parameter',
  FST_ERR_BAD_URL: 'no-such-operation',
  FST_ERR_ASYNC_CONSTRAINT: 'no-such-operation',
};

function unknownOperationProblem(request: FastifyRequest, reply: FastifyReply): Problem {
  const path = request.url.split('?')[0];
  const matchingOperation = routes.find(({ operation }) => operation.path === path)?.operation;
  if (!matchingOperation) return new Problem('no-such-operation');
  void reply.header('allow', matchingOperation.method);
  return new Problem('wrong-method', `Use ${matchingOperation.method} ${matchingOperation.path}.`);
}

/**
 * Handles bytes that are not an HTTP request. The response is written directly to the socket, and the connection is
 * closed.
 */
function sendBadRequest(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { code, text } = problems['bad-parameter'];
  apiMetrics.refused.inc({ problem: 'bad-parameter' });
  const body = JSON.stringify({ code, data: null, message: `${text} The HTTP request is malformed.` });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${REQUEST_ID_HEADER}: ${toRequestId(undefined)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
