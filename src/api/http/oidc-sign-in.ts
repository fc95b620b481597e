import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { brand, escapeHtml, pageOf } from '#src/contract/pages/html.ts';
import { rolesOfGroups } from '#src/domain/operators/role-mapping.ts';
import { open, seal } from '#src/foundation/sealed-box.ts';
import { removeOidcRights, saveOidcOperator } from '#src/storage/operators/oidc-operators.ts';
import { refundPoints } from '#src/storage/users/rate-limits.ts';
import type { ApiContext } from '../context.ts';
import { describeProviderError } from '../operators/describe-provider-error.ts';
import { type Identity, OidcProvider, type SignInAttempt, SignInRefused } from '../operators/oidc-provider.ts';
import { takeAddressPoint } from '../operators/operator-limits.ts';
import { startSession } from '../operators/start-session.ts';
import { readCookie, setCookie } from './session-cookie.ts';

const LOGIN_PATH = '/operator/oidc/login';
const CALLBACK_PATH = '/operator/oidc/callback';
const CONSOLE_PATH = '/console/';
const ATTEMPT_COOKIE = 'carillon_oidc';
/** Time within which an operator must finish the sign-in at the provider. */
const ATTEMPT_SECONDS = 600;
const SEAL_CONTEXT = JSON.stringify(['operators', 'oidc-sign-in']);

interface StoredAttempt extends SignInAttempt {
  readonly returnTo: string;
  readonly expiresMs: number;
}

/**
 * Adds the two addresses of a sign-in with OpenID Connect, which a browser opens as pages. The provider's response must
 * match values in a sealed cookie, so that a browser cannot finish a sign-in that it did not start.
 */
export function addOidcSignIn(server: FastifyInstance, context: ApiContext): void {
  if (context.settings.CARILLON_OIDC_ISSUER === '') return;
  const provider = new OidcProvider(context.settings);
  server.get<{ Querystring: { return_to?: string } }>(LOGIN_PATH, async (request, reply) => {
    try {
      const { url, attempt } = await provider.begin(redirectUriOf(context, request));
      const stored = {
        ...attempt,
        returnTo: localPath(request.query.return_to),
        expiresMs: Date.now() + ATTEMPT_SECONDS * 1_000,
      };
      const value = seal(context.keyrings.apps, SEAL_CONTEXT, JSON.stringify(stored)).toString('base64url');
      return reply
        .header('set-cookie', setCookie(request, ATTEMPT_COOKIE, value, ATTEMPT_SECONDS))
        .header('cache-control', 'no-store')
        .redirect(url.href);
    } catch (error) {
      return refuse(context, request, reply, error);
    }
  });
  server.get(CALLBACK_PATH, async (request, reply) => {
    void reply.header('set-cookie', setCookie(request, ATTEMPT_COOKIE)).header('cache-control', 'no-store');
    try {
      const attempt = readAttempt(context, request);
      // Each attempt calls the provider, which may throttle Carillon and thus all operators.
      const limit = await takeAddressPoint(context, request.ip);
      if (limit.remaining < 0)
        throw new SignInRefused(
          `Too many sign-ins from your network have failed. Try again in ${limit.resetSeconds} s.`,
        );
      const returnedUrl = new URL(redirectUriOf(context, request));
      returnedUrl.search = new URL(request.url, returnedUrl).search;
      const identity = await provider.finish(returnedUrl, attempt);
      const operatorId = await applyRoles(context, provider, identity, request.ip);
      const started = await startSession(context, request, operatorId, null);
      if (!started) throw new SignInRefused('A platform operator has disabled your account.');
      await refundPoints(context.storage.home, [limit.key]);
      return reply.header('set-cookie', started.cookie).redirect(attempt.returnTo);
    } catch (error) {
      return refuse(context, request, reply, error);
    }
  });
}

/** Creates or updates the operator with the roles of their groups. */
async function applyRoles(
  { storage: { home }, clearAuthCache }: ApiContext,
  { roleMapping }: OidcProvider,
  { profile, groups }: Identity,
  address: string,
): Promise<bigint> {
  const granted = rolesOfGroups(roleMapping, groups);
  const request = { operation: CALLBACK_PATH, address };
  if (!granted) await removeOidcRights(home, profile, request);
  const operatorId = granted && (await saveOidcOperator(home, profile, granted, request));
  clearAuthCache();
  if (operatorId === undefined)
    throw new SignInRefused(
      'None of your groups has a role in Carillon. Ask an administrator for a group with a role.',
    );
  if (operatorId === 'disabled') throw new SignInRefused('A platform operator has disabled your account.');
  if (operatorId === 'email-in-use')
    throw new SignInRefused(
      `Another operator has the email address ${profile.email}. Ask a platform operator to change that address.`,
      'Another operator has the same email address.',
    );
  return operatorId;
}

function readAttempt({ keyrings }: ApiContext, request: FastifyRequest): StoredAttempt {
  const cookie = readCookie(request, ATTEMPT_COOKIE);
  try {
    const text = open(keyrings.apps, SEAL_CONTEXT, Buffer.from(cookie ?? '', 'base64url'));
    const attempt = JSON.parse(text) as StoredAttempt;
    if (attempt.expiresMs > Date.now()) return attempt;
  } catch {
    // The cookie is missing, or was not sealed by this installation.
  }
  throw new SignInRefused('The sign-in took too long, or was started in another browser.');
}

/** The address to which the provider sends the browser back. It must be registered at the provider. */
const redirectUriOf = ({ settings }: ApiContext, { protocol, host }: FastifyRequest): string =>
  `${settings.CARILLON_PUBLIC_URL.replace(/\/$/, '') || `${protocol}://${host}`}${CALLBACK_PATH}`;

/** Returns a path of the console. Anything else would let a link send an operator to another site. */
function localPath(returnTo = CONSOLE_PATH): string {
  const base = 'http://localhost';
  if (!URL.canParse(returnTo, base)) return CONSOLE_PATH;
  const { origin, pathname, search, hash } = new URL(returnTo, base);
  return origin === base && pathname.startsWith(CONSOLE_PATH) ? `${pathname}${search}${hash}` : CONSOLE_PATH;
}

/** Shows why the sign-in failed. Only the log has the details of an error of the provider. */
function refuse({ log }: ApiContext, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const isRefused = error instanceof SignInRefused;
  const reason = isRefused ? error.message : 'The identity provider rejected the sign-in, or cannot be reached.';
  log.security('operator-login-failed', {
    address: request.ip,
    method: 'oidc',
    reason: isRefused ? error.loggedReason : reason,
    ...(!isRefused && { error: describeProviderError(error) }),
  });
  const { html, policy } = pageOf({
    title: 'Sign-in failed',
    body: `<main class="start">
<h1>${brand}</h1>
<p>You are not signed in. ${escapeHtml(reason)}</p>
<ul><li><a href="${CONSOLE_PATH}">Try again</a></li></ul>
</main>`,
  });
  return reply
    .status(403)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(html);
}
